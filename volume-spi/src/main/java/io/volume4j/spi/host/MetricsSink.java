package io.volume4j.spi.host;

import java.time.Duration;
import java.util.Map;

/**
 * Receives measurements. Implementations are thread-safe and must not block. Labels have few values: plugins,
 * operations and outcomes, never volumes or pods. One exception: the usage figures of volumes, which a node reports
 * only if its host enables them, name a claim. {@link Metric} lists all measurements.
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

    /** Removes a gauge, because its subject no longer exists. */
    default void remove(String name, Map<String, String> labels) {}

    /** A sink that discards all measurements. */
    static MetricsSink none() {
        return new MetricsSink() {};
    }
}
