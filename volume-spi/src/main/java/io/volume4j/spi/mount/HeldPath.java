package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A directory or file of the machine that the backend found once and recognises later. The backend recognises a
 * directory by its identity, also after a change of its name. It keeps the directory open until the backend is
 * closed, so that no other directory can get the same identity. It recognises anything else (a socket, a device, a
 * file) by path and type, because programs replace their sockets and files when they restart. Thread-safe.
 *
 * @since 0.1.0
 */
public interface HeldPath {
    /** The path where the backend found it: absolute and without links. */
    Path path();

    /** Whether {@link #path} still leads to it, without a symbolic link on the way. */
    boolean inPlace();

    /**
     * Why users other than root and the user of this process could replace it: a directory on the path that they own
     * or can write. The backend checks this once, when it finds the path, along the path as given.
     *
     * @return empty if no other user can, or if this backend has no concept of users
     */
    Optional<String> exposure();
}
