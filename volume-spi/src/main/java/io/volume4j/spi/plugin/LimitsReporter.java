package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;

/**
 * Says how many volumes this node can hold.
 *
 * @since 0.1.0
 */
public interface LimitsReporter {
    /** The greatest number of attached volumes, 0 for no limit. */
    long maxVolumes(CallContext context);
}
