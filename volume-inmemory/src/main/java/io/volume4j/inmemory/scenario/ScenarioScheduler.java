package io.volume4j.inmemory.scenario;

import io.volume4j.core.control.VolumeBinder;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.volumes.NodeFit;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** A scheduler that considers only volumes: the node with the best score, then the first by name. */
final class ScenarioScheduler implements AutoCloseable {
    private final InMemoryCluster cluster;
    private final VolumeBinder binder;
    private final List<ClusterSource.Watch> watches = new ArrayList<>();

    ScenarioScheduler(InMemoryCluster cluster, LongSupplier nanoClock, CsiMigration migration) {
        this.cluster = cluster;
        this.binder = VolumeBinder.builder()
                .cluster(cluster, cluster)
                .nanoClock(nanoClock)
                .migration(migration)
                .build();
        for (Kind kind : Kind.values()) {
            ClusterSource.Listing listing = cluster.list(kind, Selection.all());
            listing.objects().forEach(object -> binder.accept(WatchEvent.changed(object)));
            watches.add(cluster.watch(kind, Selection.all(), listing.revision(), binder::accept));
        }
    }

    /** The nodes that the pod's volumes permit. */
    NodeFit fit(Pod pod) {
        return binder.filter(pod, nodes());
    }

    /** Reserves the best node for the pod, writes it, and returns the node's name; {@code ""} if there is none. */
    String place(Pod pod) {
        Map<String, Integer> scores = binder.score(pod, fit(pod).fitting());
        String best = "";
        for (Map.Entry<String, Integer> score : scores.entrySet()) {
            if (best.isEmpty() || score.getValue() > scores.getOrDefault(best, 0)) {
                best = score.getKey();
            }
        }
        if (!best.isEmpty()) {
            var unused = binder.preBind(binder.reserve(pod, best));
        }
        return best;
    }

    private List<String> nodes() {
        return cluster.list(Kind.NODE, Selection.all()).objects().stream()
                .map(ApiObject::metadata)
                .map(meta -> meta.name())
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        watches.forEach(ClusterSource.Watch::close);
    }
}
