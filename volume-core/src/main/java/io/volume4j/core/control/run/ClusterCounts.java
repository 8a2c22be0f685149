package io.volume4j.core.control.run;

import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.spi.host.MetricsSink;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumePhase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many claims and volumes there are, under the names that the field knows, kept up with every change instead of counted.
 * Loop thread only.
 */
final class ClusterCounts implements ObjectListener {
    /** A gauge with its labels, by name and value in turn. */
    private record Series(String name, List<String> labels) {}

    private final MetricsSink sink;
    private final Map<Series, Long> counts = new HashMap<>();

    ClusterCounts(MetricsSink sink) {
        this.sink = sink;
    }

    @Override
    public void changed(ObjectChange change) {
        List<Series> before = seriesOf(change.before());
        List<Series> after = seriesOf(change.after());
        if (before.equals(after)) {
            return;
        }
        before.forEach(series -> add(series, -1));
        after.forEach(series -> add(series, 1));
    }

    private void add(Series series, int change) {
        long count = counts.merge(series, (long) change, Long::sum);
        if (count == 0) {
            counts.remove(series);
        }
        Map<String, String> labels = new TreeMap<>();
        for (int i = 0; i < series.labels().size(); i += 2) {
            labels.put(series.labels().get(i), series.labels().get(i + 1));
        }
        sink.gauge(series.name(), labels, count);
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
