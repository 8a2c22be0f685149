package io.volume4j.spi.mount;

import org.jspecify.annotations.Nullable;

/**
 * How to bind.
 *
 * @param readOnly read-only before it can be seen at the target
 * @param recursive mounts below the source come along
 * @param propagation how later mounts below travel
 * @param ids how the owners of files are seen at the target, null as they are. Only the topmost mount is mapped: in mounts that come
 *     along from below, owners are seen as they are
 * @since 0.1.0
 */
public record BindOptions(
        boolean readOnly,
        boolean recursive,
        Propagation propagation,
        @Nullable IdMapping ids) {
    /** With the owners of files as they are. */
    public BindOptions(boolean readOnly, boolean recursive, Propagation propagation) {
        this(readOnly, recursive, propagation, null);
    }

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

    /** The same with owners of files seen otherwise. */
    public BindOptions withIds(@Nullable IdMapping mapping) {
        return new BindOptions(readOnly, recursive, propagation, mapping);
    }
}
