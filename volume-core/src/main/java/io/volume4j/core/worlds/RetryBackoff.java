package io.volume4j.core.worlds;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delay between tries of a failed step. It doubles from {@code initial} to {@code longest}, plus a random part of
 * up to a tenth.
 *
 * @param initial the delay after the first failure; 500 ms by default
 * @param longest the delay after many failures, without the random part; 122 s by default
 * @param infeasible the delay after a failure that the plugin calls infeasible; 5 min by default
 * @since 0.1.0
 */
public record RetryBackoff(Duration initial, Duration longest, Duration infeasible) {
    /**
     * @throws IllegalArgumentException if a duration is not positive, or if {@code longest} is below {@code initial}
     */
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
     * The delay after a failure. For hosts that retry their own calls in the same way as the library.
     *
     * @param failures the number of consecutive failures, at least 1
     * @param random the source of the random part, which spreads the tries of callers that fail together
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
