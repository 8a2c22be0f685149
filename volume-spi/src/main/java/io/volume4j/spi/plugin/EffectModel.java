package io.volume4j.spi.plugin;

import java.time.Duration;

/**
 * What a backend guarantees for calls whose answer the library did not receive.
 *
 * @param kind whether the backend keeps the order of calls
 * @param horizon how long after sending an unordered call may still take effect; zero for an ordered backend
 * @since 0.1.0
 */
public record EffectModel(Kind kind, Duration horizon) {
    /** Whether the backend keeps the order of calls. */
    public enum Kind {
        /**
         * The backend serialises the calls for one volume. When it acknowledges a later call, no earlier call can
         * take effect any more.
         */
        ORDERED,
        /** A call may take effect late, even after the backend acknowledged a later call. */
        UNORDERED
    }

    private static final EffectModel ORDERED = new EffectModel(Kind.ORDERED, Duration.ZERO);

    public static EffectModel ordered() {
        return ORDERED;
    }

    /**
     * An unordered backend, without late effects after the horizon. The library waits for that time before it grants
     * a volume to another node, detaches it or destroys it.
     */
    public static EffectModel unordered(Duration horizon) {
        if (horizon.isNegative() || horizon.isZero()) {
            throw new IllegalArgumentException("horizon must be positive, not " + horizon);
        }
        return new EffectModel(Kind.UNORDERED, horizon);
    }
}
