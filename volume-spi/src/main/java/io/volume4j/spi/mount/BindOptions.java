package io.volume4j.spi.mount;

/**
 * How to bind.
 *
 * @param readOnly read-only before it can be seen at the target
 * @param recursive mounts below the source come along
 * @param propagation how later mounts below travel
 * @since 0.1.0
 */
public record BindOptions(boolean readOnly, boolean recursive, Propagation propagation) {
    /** How mounts made below a mount travel between it and its peers; mount_namespaces(7). */
    public enum Propagation {
        PRIVATE,
        SLAVE,
        SHARED
    }

    public static BindOptions readWrite() {
        return new BindOptions(false, false, Propagation.PRIVATE);
    }

    public static BindOptions onlyRead() {
        return new BindOptions(true, false, Propagation.PRIVATE);
    }
}
