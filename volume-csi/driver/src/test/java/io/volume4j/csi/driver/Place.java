package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory with a short path for sockets and targets; gone with everything in it when closed. */
final class Place implements AutoCloseable {
    private final Path path;

    Place() {
        try {
            path = Files.createTempDirectory(Path.of("/tmp"), "v4j-drv").toRealPath();
            Files.createDirectories(path.resolve("targets"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path path() {
        return path;
    }

    Path socket() {
        return path.resolve("csi.sock");
    }

    String target(String name) {
        return path.resolve("targets").resolve(name).toString();
    }

    /** A staging directory, made as a caller makes it. */
    String staging(String name) {
        try {
            return Files.createDirectories(path.resolve("staging").resolve(name))
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** That the text stands in no file here, journals and notes included; but for what belongs to other programs. */
    void holdsNothingOf(String text, Path other) {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                if (!file.startsWith(other)) {
                    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .as("%s", file)
                            .doesNotContain(text);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> childrenFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : childrenFirst) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
