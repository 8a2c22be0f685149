package io.volume4j.core.control.host;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.spi.host.Metric;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.VolumeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts claims and volumes for Kubernetes' metrics. Every change updates the counts, so that no metric needs a scan. Loop thread
 * only.
 */
final class ClusterCounts implements ObjectListener {
    /** A gauge with its label values; unused values are empty. */
    private record Series(Metric metric, String first, String second, String third) {
        /** Strings cache their hashes, so this is cheap. */
        @Override
        public int hashCode() {
            return 31 * (31 * (31 * metric.metricName().hashCode() + first.hashCode()) + second.hashCode())
                    + third.hashCode();
        }

        Map<String, String> labelled() {
            List<String> values = List.of(first, second, third);
            Map<String, String> named = new TreeMap<>();
            List<String> labels = metric.labels();
            for (int i = 0; i < labels.size(); i++) {
                named.put(labels.get(i), values.get(i));
            }
            return named;
        }
    }

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final MetricsSink sink;
    private final EventLoop loop;
    private final Map<Series, Long> numbers = new HashMap<>();

    /** Series whose current count the sink does not have yet. The sink gets them soon, once for many changes. */
    private final Set<Series> untold = new LinkedHashSet<>();

    private boolean closed;

    ClusterCounts(MetricsSink sink, EventLoop loop) {
        this.sink = sink;
        this.loop = loop;
    }

    @Override
    public void changed(ObjectChange change) {
        @Nullable ApiObject before = change.before();
        @Nullable ApiObject after = change.after();
        if (before != null && after != null && countsAlike(before, after)) {
            return;
        }
        move(volumes(before), volumes(after));
        move(ofPhase(before), ofPhase(after));
    }

    private void move(@Nullable Series before, @Nullable Series after) {
        if (before != null && !before.equals(after)) {
            add(before, -1);
        }
        if (after != null && !after.equals(before)) {
            add(after, 1);
        }
    }

    private void add(Series series, int change) {
        numbers.merge(series, (long) change, Long::sum);
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
            long count = numbers.getOrDefault(series, 0L);
            if (count == 0) {
                // Namespaces and classes come and go: a series of zero would stay for ever.
                numbers.remove(series);
                sink.remove(series.metric().metricName(), series.labelled());
            } else {
                sink.gauge(series.metric().metricName(), series.labelled(), count);
            }
        }
        untold.clear();
    }

    /** Removes the gauges: the sink may outlive this controller. */
    void close() {
        closed = true;
        numbers.keySet().forEach(series -> sink.remove(series.metric().metricName(), series.labelled()));
    }

    /** Most changes do not affect any count. */
    private static boolean countsAlike(ApiObject before, ApiObject after) {
        if (before instanceof PersistentVolume was && after instanceof PersistentVolume is) {
            return was.status().phase() == is.status().phase()
                    && was.className().equals(is.className())
                    && was.spec().volumeMode() == is.spec().volumeMode()
                    && was.spec().source().equals(is.spec().source());
        }
        if (before instanceof PersistentVolumeClaim was && after instanceof PersistentVolumeClaim is) {
            return was.status().phase() == is.status().phase()
                    && was.className().equals(is.className())
                    && was.spec().volumeAttributesClassName().equals(is.spec().volumeAttributesClassName());
        }
        return true;
    }

    private static @Nullable Series volumes(@Nullable ApiObject object) {
        if (!(object instanceof PersistentVolume volume)) {
            return null;
        }
        VolumeSource source = volume.spec().source();
        return new Series(
                Metric.CLUSTER_VOLUMES,
                source instanceof CsiSource csi ? csi.driver() : source.type(),
                volume.spec().volumeMode().apiName(),
                "");
    }

    private static @Nullable Series ofPhase(@Nullable ApiObject object) {
        if (object instanceof PersistentVolume volume) {
            boolean bound = volume.status().phase() == VolumePhase.BOUND;
            return new Series(
                    bound ? Metric.CLUSTER_BOUND_VOLUMES : Metric.CLUSTER_UNBOUND_VOLUMES, volume.className(), "", "");
        }
        if (object instanceof PersistentVolumeClaim claim) {
            boolean bound = claim.status().phase() == ClaimPhase.BOUND;
            return new Series(
                    bound ? Metric.CLUSTER_BOUND_CLAIMS : Metric.CLUSTER_UNBOUND_CLAIMS,
                    claim.metadata().namespace(),
                    claim.className(),
                    claim.spec().volumeAttributesClassName());
        }
        return null;
    }
}
