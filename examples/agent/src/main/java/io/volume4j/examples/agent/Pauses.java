package io.volume4j.examples.agent;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pause before the next attempt: 1 second, doubling to 30 seconds. A random deviation of up to a fifth prevents that all nodes
 * of a cluster try at the same time. Not thread-safe.
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

    /** The pause after another failure. */
    Duration next() {
        Duration pause = next;
        Duration longer = next.multipliedBy(2);
        next = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
        double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
        return Duration.ofMillis(Math.round(pause.toMillis() * factor));
    }

    /** Resets the pause after a success. */
    void reset() {
        next = FIRST;
    }
}
