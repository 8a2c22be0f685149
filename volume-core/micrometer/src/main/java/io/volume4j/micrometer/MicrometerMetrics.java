package io.volume4j.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records the measurements of nodes and controllers in a Micrometer registry. One sink can serve all nodes and
 * controllers of a process:
 *
 * <pre>{@code
 * MetricsSink metrics = new MicrometerMetrics(registry);
 * VolumeManager.builder().metrics(metrics)…
 * AttachDetachController.builder().metrics(metrics)…
 * }</pre>
 *
 * <p>A Prometheus registry exports each measurement with exactly the name of {@link Metric#metricName()}. Micrometer
 * itself adds {@code _seconds} to timers and {@code _total} to counters, so the names of the meters omit these
 * suffixes. A counter whose name in Kubernetes does not end with {@code _total} is a gauge of its sum, because
 * current Prometheus clients add {@code _total} to every counter.
 *
 * <p>The sink removes a gauge of one node when it becomes zero, because nodes are added and removed. Thread-safe.
 *
 * @since 0.1.0
 */
public final class MicrometerMetrics implements MetricsSink {
    private static final String TOTAL = "_total";
    private static final String SECONDS = "_seconds";
    private static final String NODE = "node";

    private final MeterRegistry registry;
    private final Map<Series, Counter> counters = new ConcurrentHashMap<>();
    private final Map<Series, Timer> timers = new ConcurrentHashMap<>();
    private final Map<Series, Level> levels = new ConcurrentHashMap<>();

    private record Series(String name, Map<String, String> labels) {}

    /** @param gauge what the registry reads the value by */
    private record Level(AtomicLong value, Gauge gauge) {}

    /** A sink for this registry. It creates a meter at its first measurement. */
    public MicrometerMetrics(MeterRegistry registry) {
        this.registry = Objects.requireNonNull(registry, "registry");
    }

    @Override
    public void count(String name, Map<String, String> labels, long amount) {
        if (!name.endsWith(TOTAL)) {
            levels.compute(
                    new Series(name, labels), (key, before) -> change(before == null ? gauge(key) : before, amount));
            return;
        }
        counters.computeIfAbsent(
                        new Series(name, labels),
                        key -> Counter.builder(without(TOTAL, key.name()))
                                .description(help(key.name()))
                                .tags(tags(key.labels()))
                                .register(registry))
                .increment((double) amount);
    }

    @Override
    public void time(String name, Map<String, String> labels, Duration duration) {
        timers.computeIfAbsent(
                        new Series(name, labels),
                        key -> Timer.builder(without(SECONDS, key.name()))
                                .description(help(key.name()))
                                .tags(tags(key.labels()))
                                .register(registry))
                .record(duration);
    }

    @Override
    public void gauge(String name, Map<String, String> labels, long value) {
        levels.compute(new Series(name, labels), (key, before) -> {
            if (value == 0 && labels.containsKey(NODE)) {
                if (before != null) {
                    registry.remove(before.gauge());
                }
                return null;
            }
            Level level = before == null ? gauge(key) : before;
            level.value().set(value);
            return level;
        });
    }

    @Override
    public void remove(String name, Map<String, String> labels) {
        levels.computeIfPresent(new Series(name, labels), (key, level) -> {
            registry.remove(level.gauge());
            return null;
        });
    }

    private static Level change(Level level, long amount) {
        level.value().addAndGet(amount);
        return level;
    }

    private Level gauge(Series series) {
        AtomicLong value = new AtomicLong();
        return new Level(
                value,
                Gauge.builder(series.name(), value, AtomicLong::doubleValue)
                        .description(help(series.name()))
                        .tags(tags(series.labels()))
                        .register(registry));
    }

    private static String without(String suffix, String name) {
        return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
    }

    private static String help(String name) {
        return Metric.named(name).map(Metric::help).orElse("");
    }

    private static Tags tags(Map<String, String> labels) {
        return Tags.of(labels.entrySet().stream()
                .map(label -> Tag.of(label.getKey(), label.getValue()))
                .toList());
    }
}
