package io.volume4j.core.node.report;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.state.MountKey;
import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.node.state.PairWatch;
import io.volume4j.core.node.state.UnidentifiedMount;
import io.volume4j.core.report.OperationMetrics;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.MetricsSink;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * A node's metrics, with the kubelet's names. Gauges are written at changes, once for all changes of one turn of the
 * loop. An unchanged volume causes no writes, and needs no memory but its part of a sum. Loop thread only.
 */
public final class NodeMetrics {
    private static final String OVERALL_MOUNT = "overall_volume_mount";

    private final EventLoop loop;
    private final MetricsSink sink;
    private final OperationMetrics operations;
    private final Map<String, Map<String, Total>> totals = new LinkedHashMap<>();
    private final Set<String> changed = new LinkedHashSet<>();
    private final Map<MountKey, Long> requestedAt = new DenseMap<>();
    private boolean flushing;
    private boolean closed;

    /** The number of volumes of a plugin in one of the states of world. */
    private static final class Total {
        private final Map<String, String> labels;
        private long volumes;

        Total(String plugin, String state) {
            labels = OperationMetrics.labels("plugin_name", plugin, "state", state);
        }
    }

    public NodeMetrics(EventLoop loop, MetricsSink sink) {
        this.loop = loop;
        this.sink = sink;
        this.operations = new OperationMetrics(sink);
    }

    /**
     * Counts the uses of volumes that pods want.
     *
     * @param differs whether a pod wants a volume with another SELinux context than another pod
     */
    public PairWatch desired(ActualStateOfWorld actual, BiPredicate<VolumeId, String> differs) {
        return new PairWatch() {
            @Override
            public void added(VolumeId id, String podUid) {
                total("desired_state_of_world", id, 1);
                if (differs.test(id, podUid)) {
                    sink.count(
                            Metric.NODE_SELINUX_MISMATCH.metricName(),
                            OperationMetrics.labels("volume_plugin", id.plugin()),
                            1);
                }
                ActualVolume volume = actual.volume(id);
                MountRow mount = volume == null ? null : volume.mount(podUid);
                if (mount == null || mount.state() != MountState.MOUNTED) {
                    requestedAt.put(new MountKey(id, podUid), loop.nanoTime());
                }
            }

            @Override
            public void removed(VolumeId id, String podUid) {
                total("desired_state_of_world", id, -1);
                requestedAt.remove(new MountKey(id, podUid));
            }
        };
    }

    /** Counts the mounts that exist or may exist. */
    public PairWatch actual() {
        return new PairWatch() {
            @Override
            public void added(VolumeId id, String podUid) {
                total("actual_state_of_world", id, 1);
            }

            @Override
            public void removed(VolumeId id, String podUid) {
                total("actual_state_of_world", id, -1);
            }
        };
    }

    /** The usage of claims' volumes. */
    ClaimFigures claimFigures() {
        return new ClaimFigures(sink);
    }

    /** The start read an earlier run's rows. */
    public void reconstructed(long rows, long unreadable) {
        if (rows + unreadable > 0) {
            sink.count(Metric.NODE_RECONSTRUCTED.metricName(), Map.of(), rows + unreadable);
        }
        if (unreadable > 0) {
            sink.count(Metric.NODE_RECONSTRUCT_ERRORS.metricName(), Map.of(), unreadable);
        }
    }

    void ended(VolumeId id, NodeStep step, NodeQueries queries, Outcome outcome, Duration took) {
        String operation = step.kind().operation(queries.raw(id));
        operations.ended(id.plugin(), operation, outcome.succeeded(), queries.migrated(id), took);
        if (outcome.writtenOff()) {
            operations.writtenOff(id.plugin(), operation);
        }
        if (UnidentifiedMount.is(id)) {
            Metric counted = outcome.succeeded() ? Metric.NODE_FORCE_CLEANED : Metric.NODE_FORCE_CLEAN_ERRORS;
            sink.count(counted.metricName(), Map.of(), 1);
        }
    }

    void returned(VolumeId id) {
        operations.returned(id.plugin());
    }

    /** The pod can use the volume. Measures the time since the pod wanted it. */
    void ready(VolumeId id, String podUid, boolean migrated) {
        Long at = requestedAt.remove(new MountKey(id, podUid));
        if (at != null) {
            operations.ended(id.plugin(), OVERALL_MOUNT, true, migrated, Duration.ofNanos(loop.nanoTime() - at));
        }
    }

    /** Removes the gauges: the sink may outlive this node. */
    public void close() {
        closed = true;
        totals.values()
                .forEach(states ->
                        states.values().forEach(total -> sink.remove(Metric.NODE_VOLUMES.metricName(), total.labels)));
        operations.close();
    }

    private void total(String state, VolumeId id, long change) {
        totals.computeIfAbsent(id.plugin(), plugin -> new LinkedHashMap<>(2))
                .computeIfAbsent(state, key -> new Total(id.plugin(), key))
                .volumes += change;
        changed.add(id.plugin());
        if (!flushing && !closed) {
            flushing = true;
            loop.execute(this::flush);
        }
    }

    private void flush() {
        flushing = false;
        if (closed) {
            return;
        }
        for (String plugin : changed) {
            totals.getOrDefault(plugin, Map.of())
                    .values()
                    .forEach(total -> sink.gauge(Metric.NODE_VOLUMES.metricName(), total.labels, total.volumes));
        }
        changed.clear();
    }
}
