package io.volume4j.inmemory.control;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a controller sees of a cluster: some of it late, some not at all. */
final class SeenCluster implements ClusterSource {
    private final InMemoryCluster cluster;
    private final Set<ObjectKey> hidden = new HashSet<>();
    private final Set<ObjectKey> unwatched = new HashSet<>();
    private final Set<Kind> unreadable = EnumSet.noneOf(Kind.class);
    private final Map<Kind, Integer> listings = new EnumMap<>(Kind.class);
    private final Map<Kind, Runnable> duringListing = new EnumMap<>(Kind.class);

    SeenCluster(InMemoryCluster cluster) {
        this.cluster = cluster;
    }

    /** Listings and watches do not show it yet: only a read from the store does. */
    void hideFromLists(ObjectKey key) {
        hidden.add(key);
    }

    /** Watches are behind and do not show it yet, nor anything that becomes of it. */
    void hideFromWatches(ObjectKey key) {
        unwatched.add(key);
    }

    /** Objects of the kind can be neither listed nor watched. */
    void unreadable(Kind kind) {
        unreadable.add(kind);
    }

    /** How often objects of the kind were listed so far. */
    int listings(Kind kind) {
        return listings.getOrDefault(kind, 0);
    }

    /** Done once, between the next reading of all objects of the kind and the answer. */
    void duringListing(Kind kind, Runnable action) {
        duringListing.put(kind, action);
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        if (unreadable.contains(kind)) {
            throw new ClusterException(ClusterException.Reason.UNAVAILABLE, "cannot list " + kind.apiName());
        }
        Listing listing = cluster.list(kind, selection);
        listings.merge(kind, 1, Integer::sum);
        @Nullable Runnable meanwhile = duringListing.remove(kind);
        if (meanwhile != null) {
            meanwhile.run();
        }
        return new Listing(
                listing.objects().stream()
                        .filter(object -> !hidden.contains(object.key()))
                        .toList(),
                listing.revision());
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        return cluster.watch(kind, selection, revision, event -> {
            ObjectKey key = event.object() == null ? null : event.object().key();
            if (key == null || (!hidden.contains(key) && !unwatched.contains(key))) {
                listener.onEvent(event);
            }
        });
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return cluster.readLive(key);
    }

    @Override
    public int compareRevisions(String left, String right) {
        return cluster.compareRevisions(left, right);
    }
}
