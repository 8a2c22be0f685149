package io.volume4j.core.worlds;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a failed step waits for its next try: doubling from {@code initial} to {@code longest}, plus up to a tenth at random.
 *
 * @param initial after the first failure; 500 ms by default
 * @param longest between any two tries; 122 s by default
 * @param infeasible after a failure that the plugin calls infeasible; 5 min by default
 * @since 0.1.0
 */
public record RetryBackoff(Duration initial, Duration longest, Duration infeasible) {
    /** @throws IllegalArgumentException if a duration is not positive or the longest is below the first */
    public RetryBackoff {
        if (initial.isNegative()
                || initial.isZero()
                || longest.compareTo(initial) < 0
                || infeasible.isNegative()
                || infeasible.isZero()) {
            throw new IllegalArgumentException("back-off needs 0 < initial <= longest and 0 < infeasible: initial "
                    + initial + ", longest " + longest + ", infeasible " + infeasible
                    + ". RetryBackoff.standard() has the defaults");
        }
    }

    /**
     * How long to wait after a failure. For hosts that retry calls of their own as the library does.
     *
     * @param failures how many in a row, at least 1
     * @param random spreads the tries of callers that fail together
     * @since 0.1.0
     */
    public Duration delay(int failures, RandomGenerator random) {
        if (failures < 1) {
            throw new IllegalArgumentException("failures must be at least 1, not " + failures);
        }
        int doublings = Math.min(failures - 1, 62);
        long top = longest.toNanos();
        long nanos = initial.toNanos() > (top >> doublings) ? top : initial.toNanos() << doublings;
        return Duration.ofNanos(nanos + (long) (random.nextDouble() * nanos / 10));
    }

    public static RetryBackoff standard() {
        return new RetryBackoff(Duration.ofMillis(500), Duration.ofSeconds(122), Duration.ofMinutes(5));
    }
}
