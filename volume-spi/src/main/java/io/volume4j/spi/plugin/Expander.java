package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;

/**
 * Makes a volume larger at its backend.
 *
 * @since 0.1.0
 */
public interface Expander {
    /** Expands to at least the size; as large already is success. */
    ExpandResult expand(ExpandRequest request, CallContext context);

    /** Whether it can be done while the volume is in use. */
    default boolean online() {
        return true;
    }

    /** What to expand to what. */
    record ExpandRequest(VolumeSpec spec, long newBytes, long oldBytes) {}

    /**
     * What came of it.
     *
     * @param nodeExpansionRequired whether a {@link NodeExpander} must finish the work
     */
    record ExpandResult(long capacityBytes, boolean nodeExpansionRequired) {}
}
