package io.volume4j.inmemory.host;

import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Records all measurements. The name of a series is {@code name{label=value,…}}, with sorted labels. Thread-safe.
 *
 * @since 0.1.0
 */
public final class RecordingMetrics implements MetricsSink {
    private final TreeMap<String, Long> counters = new TreeMap<>();
    private final TreeMap<String, Long> gauges = new TreeMap<>();
    private final TreeMap<String, List<Duration>> times = new TreeMap<>();

    /** A sink without measurements. */
    public RecordingMetrics() {}

    @Override
    public synchronized void count(String name, Map<String, String> labels, long amount) {
        counters.merge(series(name, labels), amount, Long::sum);
    }

    @Override
    public synchronized void time(String name, Map<String, String> labels, Duration duration) {
        times.computeIfAbsent(series(name, labels), unused -> new ArrayList<>()).add(duration);
    }

    @Override
    public synchronized void gauge(String name, Map<String, String> labels, long value) {
        gauges.put(series(name, labels), value);
    }

    @Override
    public synchronized void remove(String name, Map<String, String> labels) {
        gauges.remove(series(name, labels));
    }

    /** The sum of the counter, zero if it never counted. */
    public synchronized long counter(String series) {
        return counters.getOrDefault(series, 0L);
    }

    /** The last value of the gauge, zero if it was never set. */
    public synchronized long gauge(String series) {
        return gauges.getOrDefault(series, 0L);
    }

    /** The recorded durations, in order. */
    public synchronized List<Duration> times(String series) {
        return List.copyOf(times.getOrDefault(series, List.of()));
    }

    public synchronized SortedMap<String, Long> counters() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(counters));
    }

    public synchronized SortedMap<String, Long> gauges() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(gauges));
    }

    /** The names of all series with durations. */
    public synchronized SortedSet<String> timed() {
        return Collections.unmodifiableSortedSet(new java.util.TreeSet<>(times.keySet()));
    }

    private static String series(String name, Map<String, String> labels) {
        if (labels.isEmpty()) {
            return name;
        }
        StringBuilder text = new StringBuilder(name).append('{');
        String separator = "";
        for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
            text.append(separator).append(label.getKey()).append('=').append(label.getValue());
            separator = ",";
        }
        return text.append('}').toString();
    }
}
