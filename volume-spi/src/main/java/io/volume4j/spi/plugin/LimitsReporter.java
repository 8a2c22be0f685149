package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;

/**
 * Reports how many volumes can be attached to this node.
 *
 * @since 0.1.0
 */
public interface LimitsReporter {
    /** The maximum number of attached volumes, 0 for no limit. */
    long maxVolumes(CallContext context);
}
