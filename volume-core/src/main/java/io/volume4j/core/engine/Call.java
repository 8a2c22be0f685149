package io.volume4j.core.engine;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Work with effects, for a worker thread.
 *
 * @param lane the called party, usually a plugin. Each lane has its own limit, so calls do not wait for calls of
 *     other lanes
 * @param laneLimit how many calls of the lane may run at the same time
 * @param part the part of the lane to which the call belongs
 * @param deadline the time after which the executor writes off the call
 */
public record Call(String lane, int laneLimit, Part part, Duration deadline, Body body) {
    /**
     * A part of a lane's calls with its own limit within the lane's limit, such as the calls for one storage class.
     * @param name the name, also for people; {@link #REST} has none
     */
    public record Part(String name, int limit) {
        /** The calls that belong to no other part. Only the lane's limit applies to them. */
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
