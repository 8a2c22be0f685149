package io.volume4j.core.report;

import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Metrics of operations, with the names and labels of Kubernetes' dashboards. Belongs to one loop. */
public final class OperationMetrics {
    private final MetricsSink sink;
    private final Map<String, Long> stuck = new LinkedHashMap<>();
    private final Map<Series, Map<String, String>> labels = new LinkedHashMap<>();
    private boolean closed;

    private record Series(String plugin, String operation, boolean succeeded, boolean migrated) {
        Map<String, String> labels() {
            return OperationMetrics.labels(
                    "migrated",
                    Boolean.toString(migrated),
                    "operation_name",
                    operation,
                    "status",
                    succeeded ? "success" : "fail-unknown",
                    "volume_plugin",
                    plugin);
        }
    }

    public OperationMetrics(MetricsSink sink) {
        this.sink = sink;
    }

    /**
     * An operation ended.
     *
     * @param operation such as {@code volume_mount}
     */
    public void ended(String plugin, String operation, boolean succeeded, Duration took) {
        ended(plugin, operation, succeeded, false, took);
    }

    /**
     * The same.
     *
     * @param migrated whether the volume is an in-tree volume that was translated for the plugin
     */
    public void ended(String plugin, String operation, boolean succeeded, boolean migrated, Duration took) {
        sink.time(
                Metric.STORAGE_OPERATION_DURATION.metricName(),
                labels.computeIfAbsent(new Series(plugin, operation, succeeded, migrated), Series::labels),
                took);
        if (!succeeded) {
            sink.count(
                    Metric.VOLUME_OPERATION_ERRORS.metricName(),
                    labels("operation_name", operation, "plugin_name", plugin),
                    1);
        }
    }

    /** A call missed its deadline and its thread has not returned. */
    public void writtenOff(String plugin, String operation) {
        sink.count(
                Metric.CALLS_WRITTEN_OFF.metricName(), labels("operation_name", operation, "volume_plugin", plugin), 1);
        stuck(plugin, 1);
    }

    /** The thread of such a call returned. */
    public void returned(String plugin) {
        stuck(plugin, -1);
    }

    private void stuck(String plugin, long change) {
        if (closed) {
            return;
        }
        long now = stuck.merge(plugin, change, Long::sum);
        sink.gauge(Metric.CALLS_STUCK.metricName(), labels("volume_plugin", plugin), now);
    }

    /** Removes the gauges: the sink may outlive the loop, on which calls that return later can no longer be counted. */
    public void close() {
        closed = true;
        stuck.keySet().forEach(plugin -> sink.remove(Metric.CALLS_STUCK.metricName(), labels("volume_plugin", plugin)));
        stuck.clear();
    }

    /** Labels from alternating names and values, sorted by name. */
    public static Map<String, String> labels(String... pairs) {
        Map<String, String> made = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            made.put(pairs[i], pairs[i + 1]);
        }
        return made;
    }
}
