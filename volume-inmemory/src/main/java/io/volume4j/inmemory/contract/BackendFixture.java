package io.volume4j.inmemory.contract;

import io.volume4j.spi.mount.MountBackend;
import java.nio.file.Path;

/**
 * A mount backend under test and the machine that it works on.
 *
 * @since 0.1.0
 */
public interface BackendFixture extends AutoCloseable {
    MountBackend backend();

    /**
     * A directory that does not exist yet, where a test may do what it likes; another one for each test. No part of its
     * path is a link.
     */
    Path root();

    /** Writes a file as any process of the machine would. */
    void write(Path file, byte[] content);

    /** Reads a file as any process of the machine would. */
    byte[] read(Path file);

    /** Makes a symbolic link as any process of the machine would. */
    void link(Path link, Path target);

    /** The group that a file or directory belongs to. */
    long group(Path path);

    /** Whether the machine lets this process grow an ext4 that is mounted; on Linux that takes CAP_SYS_RESOURCE. */
    default boolean growsMounted() {
        return true;
    }

    /** Called once after each test, when everything below the root was taken away. */
    @Override
    default void close() {}
}
