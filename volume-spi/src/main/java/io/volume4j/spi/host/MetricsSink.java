package io.volume4j.spi.host;

import java.time.Duration;
import java.util.Map;

/**
 * Where measurements go. Thread-safe; must not block. Labels have few values: plugins, operations, outcomes, never
 * volumes or pods; only the figures of volumes that a node is told to watch name a claim. {@link Metric} lists all of them.
 *
 * @since 0.1.0
 */
public interface MetricsSink {
    /** Adds to a counter. */
    default void count(String name, Map<String, String> labels, long amount) {}

    /** Records how long something took. */
    default void time(String name, Map<String, String> labels, Duration duration) {}

    /** Sets a gauge. */
    default void gauge(String name, Map<String, String> labels, long value) {}

    /** Ends a gauge: what it measured is gone. */
    default void remove(String name, Map<String, String> labels) {}

    /** Keeps nothing. */
    static MetricsSink none() {
        return new MetricsSink() {};
    }
}
