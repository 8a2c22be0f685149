package io.volume4j.core.report;

import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measurements of operations, under the names and labels that dashboards of the field look for. Belongs to one
 * loop.
 */
public final class OperationMetrics {
    /** How long an operation took, its intent included, by {@code status}. */
    public static final String DURATION = "storage_operation_duration_seconds";

    /** Operations that failed. */
    public static final String ERRORS = "volume_operation_total_errors";

    /** Calls that missed their deadline, ever. */
    public static final String WRITTEN_OFF = "volume4j_calls_written_off_total";

    /** Threads that are still inside a call that was written off. */
    public static final String STUCK = "volume4j_calls_stuck";

    private final MetricsSink sink;
    private final Map<String, Long> stuck = new LinkedHashMap<>();
    private final Map<Series, Map<String, String>> labels = new LinkedHashMap<>();

    private record Series(String plugin, String operation, boolean succeeded, boolean migrated) {}

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
     * @param migrated whether the volume is described as before CSI, and was translated for the plugin
     */
    public void ended(String plugin, String operation, boolean succeeded, boolean migrated, Duration took) {
        String status = succeeded ? "success" : "fail-unknown";
        sink.time(
                DURATION,
                labels.computeIfAbsent(
                        new Series(plugin, operation, succeeded, migrated),
                        key -> labels(
                                "migrated",
                                Boolean.toString(migrated),
                                "operation_name",
                                operation,
                                "status",
                                status,
                                "volume_plugin",
                                plugin)),
                took);
        if (!succeeded) {
            sink.count(ERRORS, labels("operation_name", operation, "plugin_name", plugin), 1);
        }
    }

    /** A call missed its deadline and its thread has not come back. */
    public void writtenOff(String plugin, String operation) {
        sink.count(WRITTEN_OFF, labels("operation_name", operation, "volume_plugin", plugin), 1);
        stuck(plugin, 1);
    }

    /** The thread of such a call came back. */
    public void returned(String plugin) {
        stuck(plugin, -1);
    }

    private void stuck(String plugin, long change) {
        long now = stuck.merge(plugin, change, Long::sum);
        sink.gauge(STUCK, labels("volume_plugin", plugin), now);
    }

    /** Labels from names and values in turn, sorted by name. */
    public static Map<String, String> labels(String... pairs) {
        Map<String, String> made = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            made.put(pairs[i], pairs[i + 1]);
        }
        return made;
    }
}
