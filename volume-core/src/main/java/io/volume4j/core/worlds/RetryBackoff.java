package io.volume4j.core.worlds;

import java.time.Duration;

/**
 * How long a failed step waits for its next try: doubling from {@code initial} to {@code longest}, plus up to a tenth at random.
 *
 * @param initial after the first failure; 500 ms by default
 * @param longest between any two tries; 122 s by default
 * @param infeasible after a failure that the plugin calls infeasible; 5 min by default
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
                    + initial + ", longest " + longest + ", infeasible " + infeasible);
        }
    }

    public static RetryBackoff standard() {
        return new RetryBackoff(Duration.ofMillis(500), Duration.ofSeconds(122), Duration.ofMinutes(5));
    }
}
