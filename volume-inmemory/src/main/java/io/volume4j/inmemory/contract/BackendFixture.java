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
     * A directory for one test, which does not exist yet. Each test gets another one. No part of its path is a link.
     */
    Path root();

    /** Writes a file as another process of the machine would. */
    void write(Path file, byte[] content);

    /** Reads a file as another process of the machine would. */
    byte[] read(Path file);

    /** Makes a symbolic link as another process of the machine would. */
    void link(Path link, Path target);

    /** The group of a file or directory. */
    long group(Path path);

    /** Whether this process may expand a mounted ext4 filesystem. On Linux that needs CAP_SYS_RESOURCE. */
    default boolean growsMounted() {
        return true;
    }

    /** Called once after each test, after the removal of everything below the root. */
    @Override
    default void close() {}
}
