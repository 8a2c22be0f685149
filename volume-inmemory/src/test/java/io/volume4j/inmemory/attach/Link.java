package io.volume4j.inmemory.attach;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One process's way to the cluster, which can be cut: requests fail, watches fall silent and expire when it is mended. */
final class Link implements ClusterSource, ClusterWriter {
    private final InMemoryCluster cluster;
    private final List<WatchListener> silenced = new ArrayList<>();
    private boolean cut;

    Link(InMemoryCluster cluster) {
        this.cluster = cluster;
    }

    void cut() {
        cut = true;
    }

    void mend() {
        cut = false;
        List<WatchListener> all = new ArrayList<>(silenced);
        silenced.clear();
        all.forEach(listener -> listener.onEvent(WatchEvent.expired()));
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        mustReach();
        return cluster.list(kind, selection);
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        mustReach();
        return cluster.watch(kind, selection, revision, event -> {
            if (!cut) {
                listener.onEvent(event);
            } else if (!silenced.contains(listener)) {
                silenced.add(listener);
            }
        });
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        mustReach();
        return cluster.readLive(key);
    }

    @Override
    public ApiObject create(ApiObject object) {
        mustReach();
        return cluster.create(object);
    }

    @Override
    public ApiObject patch(ObjectKey key, Patch patch) {
        mustReach();
        return cluster.patch(key, patch);
    }

    @Override
    public void delete(ObjectKey key, Preconditions preconditions) {
        mustReach();
        cluster.delete(key, preconditions);
    }

    private void mustReach() {
        if (cut) {
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "the network is cut");
        }
    }
}
