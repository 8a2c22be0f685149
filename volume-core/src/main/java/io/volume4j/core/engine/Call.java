package io.volume4j.core.engine;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Work with effects, for a worker thread.
 *
 * @param lane who is called, usually a plugin; calls of one lane wait for each other's places, not for other lanes'
 * @param laneLimit how many calls of the lane may run at once
 * @param deadline after which the call is written off
 */
public record Call(String lane, int laneLimit, Duration deadline, Body body) {
    public Call {
        if (laneLimit < 1) {
            throw new IllegalArgumentException("lane limit must be at least 1, not " + laneLimit);
        }
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline must be positive, not " + deadline);
        }
    }

    /** The work itself; returns the result, which may be null. */
    @FunctionalInterface
    public interface Body {
        @Nullable
        Object run(CallContext context);
    }
}
