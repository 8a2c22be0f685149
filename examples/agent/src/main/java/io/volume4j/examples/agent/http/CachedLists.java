package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that answers lists of whole kinds from memory. The first list of a kind queries the server and opens a watch,
 * which updates the answer. After the watch expires, the next list queries the server again. For callers that list often, and
 * that accept an answer as old as the watch's last event. Thread-safe.
 */
public final class CachedLists implements ClusterSource, AutoCloseable {
    private final ClusterSource cluster;
    private final Map<Kind, Kept> kept = new EnumMap<>(Kind.class);

    /** @param cluster stays open when this object is closed */
    public CachedLists(ClusterSource cluster) {
        this.cluster = cluster;
    }

    @Override
    public synchronized Listing list(Kind kind, Selection selection) {
        if (!selection.equals(Selection.all())) {
            return cluster.list(kind, selection);
        }
        Kept known = kept.get(kind);
        Listing listing = known == null ? null : known.listing();
        if (listing != null) {
            return listing;
        }
        if (known != null) {
            known.close();
        }
        Listing fresh = cluster.list(kind, selection);
        Kept next = new Kept(fresh);
        kept.put(kind, next);
        next.follow(cluster.watch(kind, selection, fresh.revision(), next::hear));
        return fresh;
    }

    @Override
    public Watch watch(Kind kind, Selection selection, String revision, WatchListener listener) {
        return cluster.watch(kind, selection, revision, listener);
    }

    @Override
    public Optional<ApiObject> readLive(ObjectKey key) {
        return cluster.readLive(key);
    }

    @Override
    public int compareRevisions(String left, String right) {
        return cluster.compareRevisions(left, right);
    }

    @Override
    public synchronized void close() {
        kept.values().forEach(Kept::close);
        kept.clear();
    }

    /** One list with the events of its watch. Not valid before the watch is open and after it has expired. */
    private static final class Kept {
        private final Map<ObjectKey, ApiObject> objects = new TreeMap<>();
        private String revision;
        private @Nullable Watch watch;
        private boolean expired;

        Kept(Listing listing) {
            listing.objects().forEach(object -> objects.put(object.key(), object));
            revision = listing.revision();
        }

        synchronized void follow(Watch opened) {
            watch = opened;
        }

        synchronized void hear(WatchEvent event) {
            switch (event.type()) {
                case CHANGED -> objects.put(event.requireObject().key(), event.requireObject());
                case DELETED -> objects.remove(event.requireObject().key());
                case BOOKMARK -> {}
                case EXPIRED -> expired = true;
            }
            if (!expired) {
                revision = event.revision();
            }
        }

        synchronized @Nullable Listing listing() {
            return expired || watch == null ? null : new Listing(List.copyOf(objects.values()), revision);
        }

        synchronized void close() {
            expired = true;
            if (watch != null) {
                watch.close();
            }
        }
    }
}
