package io.volume4j.spi.mount;

import org.jspecify.annotations.Nullable;

/**
 * The options of a bind mount.
 *
 * @param readOnly whether the mount is read-only; it is so before it appears at the target
 * @param recursive whether the bind includes the mounts below the source
 * @param propagation how later mounts below it propagate. Unless this is {@code SHARED}, the mount is no peer of its
 *     source at any time: an unmount below it must not unmount what is mounted below the source
 * @param ids the mapping of file owners at the target, null for no mapping. It applies to the topmost mount only, not
 *     to the mounts below the source
 * @since 0.1.0
 */
public record BindOptions(
        boolean readOnly,
        boolean recursive,
        Propagation propagation,
        @Nullable IdMapping ids) {
    /** Options without a mapping of file owners. */
    public BindOptions(boolean readOnly, boolean recursive, Propagation propagation) {
        this(readOnly, recursive, propagation, null);
    }

    /** How mounts below a mount propagate between the mount and its peers; mount_namespaces(7). */
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

    /** The same options with this mapping of file owners; null for no mapping. */
    public BindOptions withIds(@Nullable IdMapping mapping) {
        return new BindOptions(readOnly, recursive, propagation, mapping);
    }
}
