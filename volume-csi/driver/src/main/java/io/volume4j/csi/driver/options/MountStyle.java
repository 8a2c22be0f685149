package io.volume4j.csi.driver.options;

/**
 * How a volume appears at its target path.
 *
 * @since 0.1.0
 */
public enum MountStyle {
    /** {@link #KERNEL} where this process may mount, else {@link #LINKS}. */
    AUTO,
    /** Bind mounts, and loop devices for block volumes; needs root. */
    KERNEL,
    /** Bind mounts, and for block volumes a bind of the image file, so that no device of the machine is taken; needs root. */
    BINDS,
    /** Symbolic links at the target paths; what is staged shows nowhere. Needs no rights. */
    LINKS
}
