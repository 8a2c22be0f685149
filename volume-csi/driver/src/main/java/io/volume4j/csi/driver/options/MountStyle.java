package io.volume4j.csi.driver.options;

/**
 * How a volume appears at its target path.
 *
 * @since 0.1.0
 */
public enum MountStyle {
    /** {@link #KERNEL} if this process may mount, else {@link #LINKS}. */
    AUTO,
    /** Bind mounts, and loop devices for block volumes; needs root. */
    KERNEL,
    /**
     * Bind mounts, and a bind mount of the image file for block volumes, so that the driver uses no device of the machine;
     * needs root.
     */
    BINDS,
    /** Symbolic links at the target paths; staging has no visible effect. Needs no rights. */
    LINKS
}
