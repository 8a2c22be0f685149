package io.volume4j.core.control.run;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumePhase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many claims and volumes there are, under the names that the field knows, kept up with every change instead of counted.
 * Loop thread only.
 */
final class ClusterCounts implements ObjectListener {
    /** A gauge with its labels, by name and value in turn. */
    private record Series(String name, List<String> labels) {}

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final MetricsSink sink;
    private final EventLoop loop;
    private final Map<Series, Long> numbers = new HashMap<>();

    /** Those whose count the sink does not know yet; it is told soon, once for many changes. */
    private final Set<Series> untold = new LinkedHashSet<>();

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
        List<Series> counted = seriesOf(before);
        List<Series> counts = seriesOf(after);
        for (Series series : counted) {
            if (!counts.contains(series)) {
                add(series, -1);
            }
        }
        for (Series series : counts) {
            if (!counted.contains(series)) {
                add(series, 1);
            }
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
        for (Series series : untold) {
            Map<String, String> labels = new TreeMap<>();
            for (int i = 0; i < series.labels().size(); i += 2) {
                labels.put(series.labels().get(i), series.labels().get(i + 1));
            }
            long count = numbers.getOrDefault(series, 0L);
            if (count == 0) {
                numbers.remove(series);
            }
            sink.gauge(series.name(), labels, count);
        }
        untold.clear();
    }

    /** Most changes are of something else. */
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

    private static List<Series> seriesOf(@Nullable ApiObject object) {
        List<Series> series = new ArrayList<>(2);
        if (object instanceof PersistentVolume volume) {
            boolean bound = volume.status().phase() == VolumePhase.BOUND;
            series.add(new Series(
                    "pv_collector_total_pv_count",
                    List.of(
                            "plugin_name",
                            volume.spec().source() instanceof CsiSource csi
                                    ? csi.driver()
                                    : volume.spec().source().type(),
                            "volume_mode",
                            volume.spec().volumeMode().apiName())));
            series.add(new Series(
                    bound ? "pv_collector_bound_pv_count" : "pv_collector_unbound_pv_count",
                    List.of("storage_class", volume.className())));
        } else if (object instanceof PersistentVolumeClaim claim) {
            boolean bound = claim.status().phase() == ClaimPhase.BOUND;
            series.add(new Series(
                    bound ? "pv_collector_bound_pvc_count" : "pv_collector_unbound_pvc_count",
                    List.of(
                            "namespace",
                            claim.metadata().namespace(),
                            "storage_class",
                            claim.className(),
                            "volume_attributes_class",
                            claim.spec().volumeAttributesClassName())));
        }
        return series;
    }
}
