package io.volume4j.examples.agent.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The wall clock of some programs, which a test steps while they run. The kernel has one for all its namespaces, so a library stands
 * between the programs and the C library ({@code wall-clock.c}, which says what it cannot reach).
 */
final class WallClock {
    private final Path library;
    private final Path file;

    /**
     * It is right at first.
     *
     * @param library what {@link #library} made
     * @param file holds by how much the clock is wrong
     */
    WallClock(Path library, Path file) throws IOException {
        this.library = library;
        this.file = file;
        step(Duration.ZERO);
    }

    /** Compiles the library there; needs {@code cc}. */
    static Path library(Path directory) throws IOException, InterruptedException {
        Path source = directory.resolve("wall-clock.c");
        try (InputStream text = Objects.requireNonNull(WallClock.class.getResourceAsStream("wall-clock.c"))) {
            Files.copy(text, source);
        }
        Path library = directory.resolve("wall-clock.so");
        Host.run("cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library.toString(), source.toString());
        return library;
    }

    /** The command of a program that has this clock. */
    List<String> around(List<String> program) {
        List<String> command = new ArrayList<>(List.of("env", "LD_PRELOAD=" + library, "WALL_CLOCK=" + file));
        command.addAll(program);
        return command;
    }

    /** From now on the clock is wrong by so much, zero for right. */
    void step(Duration wrongBy) throws IOException {
        byte[] nanos = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(wrongBy.toNanos())
                .array();
        // in place, and at once: the programs have the file mapped
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.write(nanos);
        }
    }
}
