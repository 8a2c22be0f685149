package io.volume4j.examples.agent;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: 1 second, doubling to 30 seconds, each time by up to a fifth more or less, so that the
 * nodes of a cluster do not all come back at one moment. Not thread-safe.
 */
final class Pauses {
    static final Duration FIRST = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofSeconds(30);
    private static final double SPREAD = 0.2;

    private final RandomGenerator random;
    private Duration next = FIRST;

    Pauses(RandomGenerator random) {
        this.random = random;
    }

    /** The pause after one more failure. */
    Duration next() {
        Duration pause = next;
        Duration longer = next.multipliedBy(2);
        next = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
        double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
        return Duration.ofMillis(Math.round(pause.toMillis() * factor));
    }

    /** An attempt succeeded. */
    void reset() {
        next = FIRST;
    }
}
