package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;

/**
 * Expands a volume at its backend.
 *
 * @since 0.1.0
 */
public interface Expander {
    /** Expands the volume to at least the new size. Succeeds if it is already that large. */
    ExpandResult expand(ExpandRequest request, CallContext context);

    /** Whether the backend can expand a volume that is in use. */
    default boolean online() {
        return true;
    }

    /** The volume to expand, and its new and old size in bytes. */
    record ExpandRequest(VolumeSpec spec, long newBytes, long oldBytes) {}

    /**
     * The result of an expansion: the new size in bytes.
     *
     * @param nodeExpansionRequired whether a {@link NodeExpander} must finish the work
     */
    record ExpandResult(long capacityBytes, boolean nodeExpansionRequired) {}
}
