package io.volume4j.csi.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    return directory.equals(other) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    try {
                        if (attributes.isRegularFile()) {
                            assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                                    .as("%s", file)
                                    .doesNotContain(text);
                        }
                        return FileVisitResult.CONTINUE;
                    } catch (NoSuchFileException gone) {
                        return visitFileFailed(file, gone);
                    }
                }

                /** Controllers and nodes still run. A file that they take away meanwhile holds nothing any more. */
                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                    return failure instanceof NoSuchFileException
                            ? FileVisitResult.CONTINUE
                            : super.visitFileFailed(file, failure);
                }
            });
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
