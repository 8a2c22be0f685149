package io.volume4j.core.engine;

import io.volume4j.spi.FailureKind;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after a failure: doubling from {@code initial} to {@code longest}, plus up to a tenth at random so that
 * many volumes of one backend do not come back together. What the backend can never do is asked again every {@code
 * infeasible}, in case it learnt to.
 */
public record Backoff(Duration initial, Duration longest, Duration infeasible) {
    private static final Duration LONGEST_FOR_LISTS = Duration.ofSeconds(30);

    public Backoff {
        if (initial.isNegative() || initial.isZero() || longest.compareTo(initial) < 0) {
            throw new IllegalArgumentException("backoff needs 0 < initial <= longest: " + initial + ", " + longest);
        }
    }

    /** 500 ms doubling to 2 min 2 s; 5 min for the infeasible. */
    public static Backoff standard() {
        return new Backoff(Duration.ofMillis(500), Duration.ofSeconds(122), Duration.ofMinutes(5));
    }

    /**
     * The same for lists and watches: 30 seconds at most. Nothing is decided while they fail, and after a long outage of the API server each
     * node and controller would otherwise stay blind for minutes.
     */
    public Backoff forLists() {
        return longest.compareTo(LONGEST_FOR_LISTS) <= 0
                ? this
                : new Backoff(
                        initial.compareTo(LONGEST_FOR_LISTS) < 0 ? initial : LONGEST_FOR_LISTS,
                        LONGEST_FOR_LISTS,
                        infeasible);
    }

    /**
     * The delay after a failure.
     *
     * @param failures how many in a row, at least 1
     */
    public Duration delay(int failures, FailureKind kind, RandomGenerator random) {
        long nanos = infeasible.toNanos();
        if (kind != FailureKind.INFEASIBLE) {
            int doublings = Math.min(failures - 1, 62);
            long top = longest.toNanos();
            nanos = initial.toNanos() > (top >> doublings) ? top : initial.toNanos() << doublings;
        }
        return Duration.ofNanos(nanos + (long) (random.nextDouble() * nanos / 10));
    }
}
