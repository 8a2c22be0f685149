package io.volume4j.core.engine;

import io.volume4j.spi.FailureKind;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The delay after a failure. It doubles from {@code initial} to {@code longest}, plus a random part of up to a tenth,
 * so that many volumes of one backend do not retry together. After an infeasible failure the delay is
 * {@code infeasible}, in case the backend has changed.
 */
public record Backoff(Duration initial, Duration longest, Duration infeasible) {
    private static final Duration LONGEST_FOR_LISTS = Duration.ofSeconds(30);

    public Backoff {
        if (initial.isNegative() || initial.isZero() || longest.compareTo(initial) < 0) {
            throw new IllegalArgumentException("backoff needs 0 < initial <= longest: " + initial + ", " + longest);
        }
    }

    /** The defaults: 500 ms, doubling to 2 min 2 s; 5 min after an infeasible failure. */
    public static Backoff standard() {
        return new Backoff(Duration.ofMillis(500), Duration.ofSeconds(122), Duration.ofMinutes(5));
    }

    /**
     * The same for lists and watches, with a maximum of 30 seconds. The reconcilers cannot decide while lists fail.
     * With the longer delay they would wait for minutes after a long outage of the API server.
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
     * @param failures the number of consecutive failures, at least 1
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
