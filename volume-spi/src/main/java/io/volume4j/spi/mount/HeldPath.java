package io.volume4j.spi.mount;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A directory or file of the machine that was found once and is recognised again. A directory is recognised by identity,
 * whatever happens to its name: the backend holds it until the backend is closed, so that no other directory can take its
 * identity. Anything else (a socket, a device, a file) is recognised by path and type, because programs replace their
 * sockets and files when they start again. Thread-safe.
 *
 * @since 0.1.0
 */
public interface HeldPath {
    /** Where it lay when it was found: absolute and without links. */
    Path path();

    /** Whether {@link #path} leads to it now, without a link on the way. */
    boolean inPlace();

    /**
     * Why users other than root and the one of this process could put something else in its place: a directory on the way
     * to it that they own or can write. Judged once, when it was found, along the path as it was given.
     *
     * @return empty if no other user can, or if this backend knows no users
     */
    Optional<String> exposure();
}
