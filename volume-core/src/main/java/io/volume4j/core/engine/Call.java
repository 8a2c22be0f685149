package io.volume4j.core.engine;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Work with effects, for a worker thread.
 *
 * @param lane who is called, usually a plugin; calls of one lane wait for each other's places, not for other lanes'
 * @param laneLimit how many calls of the lane may run at once
 * @param part of the lane to which the call belongs
 * @param deadline after which the call is written off
 */
public record Call(String lane, int laneLimit, Part part, Duration deadline, Body body) {
    /**
     * Some of a lane's calls, with a limit of their own within the lane's, such as those for one storage class.
     *
     * @param name for people too; {@link #REST} has none
     */
    public record Part(String name, int limit) {
        /** All calls that belong to no other part: only the lane's limit counts for them. */
        public static final Part REST = new Part("", Integer.MAX_VALUE);

        public Part {
            if (limit < 1) {
                throw new IllegalArgumentException("limit must be at least 1, not " + limit);
            }
        }
    }

    public Call {
        if (laneLimit < 1) {
            throw new IllegalArgumentException("lane limit must be at least 1, not " + laneLimit);
        }
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline must be positive, not " + deadline);
        }
    }

    public Call(String lane, int laneLimit, Duration deadline, Body body) {
        this(lane, laneLimit, Part.REST, deadline, body);
    }

    /** The work itself; returns the result, which may be null. */
    @FunctionalInterface
    public interface Body {
        @Nullable
        Object run(CallContext context);
    }
}
