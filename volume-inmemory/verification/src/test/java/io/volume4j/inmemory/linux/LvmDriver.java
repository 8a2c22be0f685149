package io.volume4j.inmemory.linux;

import io.volume4j.inmemory.contract.LinuxFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** The example's flexvolume driver, installed on a test's machine with a pool of its own. */
final class LvmDriver {
    static final String NAME = "volume4j.io/lvm";

    private static final Path EXAMPLE = Path.of(
            Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"),
            "examples/flexvolume/volume4j.io~lvm/lvm");

    private LvmDriver() {}

    static Path pool(LinuxFixture machine) {
        return machine.elsewhere("pool");
    }

    /** Where it can be found as {@code <directory>/volume4j.io~lvm/lvm}; the path of the program. */
    static Path install(LinuxFixture machine) {
        return install(machine, machine.elsewhere("drivers"));
    }

    static Path install(LinuxFixture machine, Path directory) {
        try {
            Path own = Files.createDirectories(directory.resolve("volume4j.io~lvm"));
            Files.writeString(own.resolve("lvm.conf"), "pool=" + pool(machine) + "\n");
            Path hidden = own.resolve(".lvm.new");
            Files.copy(EXAMPLE, hidden, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
            return Files.move(hidden, own.resolve("lvm"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
