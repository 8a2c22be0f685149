package io.volume4j.core.node.report;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The usage of claims' volumes as gauges, with the names and labels of the kubelet's metrics. Loop thread only. */
final class ClaimFigures {
    private static final List<Metric> OF_CLAIMS = List.of(
            Metric.NODE_CLAIM_CAPACITY,
            Metric.NODE_CLAIM_AVAILABLE,
            Metric.NODE_CLAIM_USED,
            Metric.NODE_CLAIM_INODES,
            Metric.NODE_CLAIM_INODES_FREE,
            Metric.NODE_CLAIM_INODES_USED,
            Metric.NODE_CLAIM_ABNORMAL);

    private final MetricsSink sink;
    private final Map<VolumeId, Map<String, String>> told = new HashMap<>();

    ClaimFigures(MetricsSink sink) {
        this.sink = sink;
    }

    void full(VolumeId volume, ObjectReference claim, Stats stats) {
        Map<String, String> labels = labels(volume, claim);
        tell(Metric.NODE_CLAIM_CAPACITY, labels, stats.totalBytes());
        tell(Metric.NODE_CLAIM_AVAILABLE, labels, stats.availableBytes());
        tell(Metric.NODE_CLAIM_USED, labels, stats.usedBytes());
        tell(Metric.NODE_CLAIM_INODES, labels, stats.totalInodes());
        tell(Metric.NODE_CLAIM_INODES_FREE, labels, stats.availableInodes());
        tell(Metric.NODE_CLAIM_INODES_USED, labels, stats.usedInodes());
    }

    void health(VolumeId volume, ObjectReference claim, boolean abnormal) {
        tell(Metric.NODE_CLAIM_ABNORMAL, labels(volume, claim), abnormal ? 1 : 0);
    }

    /** Removes the gauges of volumes that this node no longer has. */
    void keep(Predicate<VolumeId> there) {
        Set<Map<String, String>> gone = new HashSet<>();
        told.forEach((volume, labels) -> {
            if (!there.test(volume)) {
                gone.add(labels);
            }
        });
        told.keySet().removeIf(volume -> !there.test(volume));
        // Keeps the gauges of a claim that now has another volume.
        gone.removeAll(new HashSet<>(told.values()));
        gone.forEach(labels -> OF_CLAIMS.forEach(metric -> sink.remove(metric.metricName(), labels)));
    }

    private Map<String, String> labels(VolumeId volume, ObjectReference claim) {
        Map<String, String> labels = Map.of("namespace", claim.namespace(), "persistentvolumeclaim", claim.name());
        told.put(volume, labels);
        return labels;
    }

    /** Sets the gauge. A negative value means that the plugin does not know it, and removes the gauge. */
    private void tell(Metric metric, Map<String, String> labels, long value) {
        if (value >= 0) {
            sink.gauge(metric.metricName(), labels, value);
        } else {
            sink.remove(metric.metricName(), labels);
        }
    }
}
