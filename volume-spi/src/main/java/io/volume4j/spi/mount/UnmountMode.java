package io.volume4j.spi.mount;

/**
 * How to unmount; umount2(2).
 *
 * @since 0.1.0
 */
public enum UnmountMode {
    /** Fails if the mount is busy. */
    NORMAL,
    /** First aborts requests that wait for a server that does not answer ({@code MNT_FORCE}). */
    FORCE,
    /**
     * Removes the mount from the directory tree at once, and ends it when no process uses it any more
     * ({@code MNT_DETACH}).
     */
    LAZY
}
