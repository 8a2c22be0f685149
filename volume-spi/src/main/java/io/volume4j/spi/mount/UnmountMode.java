package io.volume4j.spi.mount;

/**
 * How to take a mount away; umount2(2).
 *
 * @since 0.1.0
 */
public enum UnmountMode {
    /** Busy is an error. */
    NORMAL,
    /** Aborts what waits for a dead server first ({@code MNT_FORCE}). */
    FORCE,
    /** Out of sight at once, gone when no process uses it any more ({@code MNT_DETACH}). */
    LAZY
}
