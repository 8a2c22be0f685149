package io.volume4j.spi.plugin;

import java.time.Duration;

/**
 * What a backend promises about calls whose answer was never heard.
 *
 * @param kind see there
 * @param horizon the longest after sending that an unordered call may still take effect; zero for an ordered backend
 * @since 0.1.0
 */
public record EffectModel(Kind kind, Duration horizon) {
    /** Whether the backend keeps the order of calls. */
    public enum Kind {
        /** The backend serialises calls per volume; an acknowledged later call supersedes every earlier one. */
        ORDERED,
        /** A call may take effect late, even after a later one was acknowledged. */
        UNORDERED
    }

    private static final EffectModel ORDERED = new EffectModel(Kind.ORDERED, Duration.ZERO);

    public static EffectModel ordered() {
        return ORDERED;
    }

    /** Late effects end after the horizon; a grant or a destruction waits for it. */
    public static EffectModel unordered(Duration horizon) {
        if (horizon.isNegative() || horizon.isZero()) {
            throw new IllegalArgumentException("horizon must be positive, not " + horizon);
        }
        return new EffectModel(Kind.UNORDERED, horizon);
    }
}
