package io.volume4j.core.control.attach;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts wanted and attached volumes, under Kubernetes' metric names. Every change updates the counts. The sink receives changed
 * counts at most once a second. Loop thread only.
 */
final class AttachCounts {
    private static final String DESIRED = "desired_state_of_world";
    private static final String ACTUAL = "actual_state_of_world";
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final MetricsSink sink;
    private final EventLoop loop;
    private final Map<Series, Long> counts = new LinkedHashMap<>();

    /** The series whose current count the sink does not have yet. */
    private final Set<Series> untold = new LinkedHashSet<>();

    private boolean closed;

    /** @param where the state for {@link Metric#ATTACH_VOLUMES}, the node for {@link Metric#ATTACH_IN_USE} */
    private record Series(Metric metric, String plugin, String where) {}

    AttachCounts(MetricsSink sink, EventLoop loop) {
        this.sink = sink;
        this.loop = loop;
    }

    void desired(NodeState node, String plugin, int change) {
        add(new Series(Metric.ATTACH_VOLUMES, plugin, DESIRED), change);
        add(new Series(Metric.ATTACH_IN_USE, plugin, node.name), change);
    }

    void actual(String plugin, int change) {
        add(new Series(Metric.ATTACH_VOLUMES, plugin, ACTUAL), change);
    }

    private void add(Series series, long change) {
        counts.merge(series, change, Long::sum);
        if (untold.isEmpty()) {
            loop.schedule(PAUSE, this::tell);
        }
        untold.add(series);
    }

    private void tell() {
        if (closed) {
            return;
        }
        for (Series series : untold) {
            long count = counts.getOrDefault(series, 0L);
            if (count == 0) {
                counts.remove(series);
            }
            gauge(series, count);
        }
        untold.clear();
    }

    /** Reports zero for all series, because a process that does not lead has no volumes to count. */
    void close() {
        closed = true;
        counts.keySet().forEach(series -> gauge(series, 0));
    }

    private void gauge(Series series, long count) {
        boolean total = series.metric() == Metric.ATTACH_VOLUMES;
        sink.gauge(
                series.metric().metricName(),
                total
                        ? OperationMetrics.labels("plugin_name", series.plugin(), "state", series.where())
                        : OperationMetrics.labels("node", series.where(), "volume_plugin", series.plugin()),
                count);
    }
}
