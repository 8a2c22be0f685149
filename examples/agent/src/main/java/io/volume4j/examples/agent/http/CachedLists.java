package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that answers lists of whole kinds from memory. The first list of a kind queries the server and opens a watch,
 * which updates the answer. After the watch expires, the next list queries the server again. For callers that list often, and
 * that accept an answer as old as the watch's last event. Thread-safe. Lists of one kind wait for each other while the server is
 * queried. Other kinds and the close do not wait.
 */
public final class CachedLists implements ClusterSource, AutoCloseable {
    private final ClusterSource cluster;
    private final Map<Kind, Object> turns = new ConcurrentHashMap<>();
    private final Map<Kind, Kept> kept = new EnumMap<>(Kind.class);
    private boolean closed;

    /** @param cluster stays open when this object is closed */
    public CachedLists(ClusterSource cluster) {
        this.cluster = cluster;
    }

    @Override
    public Listing list(Kind kind, Selection selection) {
        if (!selection.equals(Selection.all())) {
            return cluster.list(kind, selection);
        }
        synchronized (turns.computeIfAbsent(kind, each -> new Object())) {
            Kept known = known(kind);
            Listing listing = known == null ? null : known.listing();
            return listing == null ? listAndFollow(kind, known) : listing;
        }
    }

    private Listing listAndFollow(Kind kind, @Nullable Kept known) {
        if (known != null) {
            known.close();
        }
        Listing fresh = cluster.list(kind, Selection.all());
        Kept next = new Kept(fresh);
        if (keep(kind, next)) {
            next.follow(cluster.watch(kind, Selection.all(), fresh.revision(), next::hear));
        }
        return fresh;
    }

    private synchronized @Nullable Kept known(Kind kind) {
        return kept.get(kind);
    }

    private synchronized boolean keep(Kind kind, Kept next) {
        if (!closed) {
            kept.put(kind, next);
        }
        return !closed;
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

    /** Ends the watches, also one that is being opened. */
    @Override
    public void close() {
        List<Kept> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(kept.values());
            kept.clear();
        }
        all.forEach(Kept::close);
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

        void follow(Watch opened) {
            boolean useless;
            synchronized (this) {
                watch = opened;
                useless = expired;
            }
            if (useless) {
                opened.close();
            }
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

        void close() {
            Watch ends;
            synchronized (this) {
                expired = true;
                ends = watch;
            }
            if (ends != null) {
                ends.close();
            }
        }
    }
}
