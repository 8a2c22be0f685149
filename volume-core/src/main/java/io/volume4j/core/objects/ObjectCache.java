package io.volume4j.core.objects;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cache of the objects of some kinds, updated by list and watch. Call all its methods on its event loop. It calls
 * all listeners on that loop, in the order of the changes.
 *
 * <p>Rules:
 *
 * <ul>
 * <li>An older revision never replaces a newer one, even if the older one comes from a listing or a slow watch.
 * <li>What the loop wrote ({@link #applyOwnWrite}) is visible at once. A listing that does not contain it yet does
 * not remove it; only a live read may.
 * <li>A deleted UID stays deleted, even if older events arrive late. One exception: if a live read after the deletion
 * finds the object at a later revision, the object is back, because the store was restored from a backup.
 * <li>{@link #complete} is false until the cache has applied the first listing. It is false again from the end of a
 * watch until the cache has applied the next listing. While it is false, a missing object may exist.
 * </ul>
 *
 * <p>The cache applies a listing in slices, so that a listing of many objects does not delay other work of the loop
 * for long.
 */
public final class ObjectCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectCache.class);

    /** Deleted UIDs are remembered at least this long: longer than any write is in flight. */
    static final Duration TOMBSTONE_AGE = Duration.ofMinutes(10);

    private final ClusterSource source;
    private final CachePorts ports;
    private final Map<Kind, KindFeed> feeds = new EnumMap<>(Kind.class);

    private final List<ObjectListener> listeners = new ArrayList<>();
    private final DeadUids dead;
    private boolean begun;
    private boolean aging;
    private boolean closed;

    /**
     * A cache. It is empty before {@link #start()}.
     *
     * @param kinds the kinds to keep, with their selections; the cache ignores objects outside the selection, even if
     *     the source returns them
     */
    public ObjectCache(ClusterSource source, Map<Kind, Selection> kinds, CachePorts ports) {
        this.source = source;
        this.dead = new DeadUids(source::compareRevisions);
        this.ports = ports;
        kinds.forEach((kind, selection) -> feeds.put(kind, new KindFeed(kind, selection, this)));
    }

    /**
     * Also keeps objects of this kind. Only before {@link #start()}. Does nothing for a kind that the cache already
     * keeps.
     */
    public void also(Kind kind, Selection selection) {
        feeds.putIfAbsent(kind, new KindFeed(kind, selection, this));
    }

    /** Begins to list and watch. Add listeners before; a later listener gets only later changes. */
    public void start() {
        begun = true;
        feeds.values().forEach(KindFeed::relist);
    }

    /**
     * As {@link #start()}, but lists this kind first, because a listener needs its objects together with those of the
     * other kinds.
     */
    public void startWith(Kind first) {
        begun = true;
        KindFeed before = feed(first);
        before.relist();
        feeds.values().stream().filter(feed -> feed != before).forEach(KindFeed::relist);
    }

    /** Adds a listener, which gets all changes until the cache is closed. */
    public void listener(ObjectListener listener) {
        listeners.add(listener);
    }

    /** The last known state of the object. Empty means absent only if its kind is {@link #complete}. */
    public Optional<ApiObject> get(ObjectKey key) {
        return Optional.ofNullable(feed(key.kind()).objects.get(key));
    }

    /** The last known state of the object, if it has this type. */
    public <T extends ApiObject> Optional<T> get(ObjectKey key, Class<T> type) {
        @Nullable ApiObject object = feed(key.kind()).objects.get(key);
        return type.isInstance(object) ? Optional.of(type.cast(object)) : Optional.empty();
    }

    /**
     * All known objects of the kind, in the order in which they became known. A live view; do not iterate while the
     * cache changes.
     */
    public Collection<ApiObject> all(Kind kind) {
        return Collections.unmodifiableCollection(feed(kind).objects.values());
    }

    /** The same with the key instances of the cache, for callers that store keys without copies. */
    public void forEach(Kind kind, BiConsumer<ObjectKey, ApiObject> taker) {
        feed(kind).objects.forEach(taker);
    }

    /** Whether an object of the kind that is not in the cache certainly does not exist. */
    public boolean complete(Kind kind) {
        return feed(kind).complete;
    }

    /** Whether this is true for all kinds of the cache. */
    public boolean complete() {
        return begun && feeds.values().stream().allMatch(feed -> feed.complete);
    }

    /** Why not all kinds are {@link #complete}, for people. */
    public String whyIncomplete() {
        if (!begun) {
            return "nothing is listed before start() is called";
        }
        for (Map.Entry<Kind, KindFeed> feed : feeds.entrySet()) {
            String trouble = feed.getValue().trouble();
            if (!feed.getValue().complete && !trouble.isEmpty()) {
                return "the " + feed.getKey().apiName() + " objects of the cluster cannot be listed: " + trouble;
            }
        }
        return "the objects of the cluster are being listed";
    }

    /** Why the kind is not {@link #complete}: the last failure of its source, {@code ""} if none is known. */
    public String trouble(Kind kind) {
        return feed(kind).trouble();
    }

    /**
     * Applies the result of an own write or of a live read. Ignores it if it is older than the known state, or if the
     * object is deleted.
     */
    public void applyOwnWrite(ApiObject stored) {
        if (!closed) {
            feed(stored.kind()).applyOwn(stored);
        }
    }

    /**
     * Applies that a live read did not find the object, or that an own write removed it.
     * @param uid the UID of the removed object; another object with the same name stays
     */
    public void applyAbsent(ObjectKey key, String uid) {
        if (!closed) {
            feed(key.kind()).applyAbsent(key, uid);
        }
    }

    /**
     * Applies that the store did not have the object. If only the name is known, another object may have this name
     * now; the cache then asks the store about the object that it knows.
     * @param uid the UID of the requested object, {@code ""} if only its name is known
     */
    public void seenAbsent(ObjectKey key, String uid) {
        if (!uid.isEmpty()) {
            applyAbsent(key, uid);
        } else if (!closed) {
            feed(key.kind()).verify(key);
        }
    }

    /** Ends the cache while its loop goes on: workers close the watches. The known objects stay readable. */
    @Override
    public void close() {
        closed = true;
        feeds.values().forEach(KindFeed::close);
    }

    /**
     * Ends the cache together with its loop and its workers. The known objects stay readable.
     *
     * @return closes the watches. That is the host's code and may hang, so the loop must run it last
     */
    public Runnable end() {
        closed = true;
        List<Runnable> closings = feeds.values().stream().map(KindFeed::end).toList();
        return () -> closings.forEach(Runnable::run);
    }

    ClusterSource source() {
        return source;
    }

    CachePorts ports() {
        return ports;
    }

    boolean closed() {
        return closed;
    }

    /** Whether the source reported within the last minutes that the object with this UID was deleted. */
    public boolean seenDeleted(String uid) {
        return dead.contains(uid);
    }

    /** Whether that revision of a deleted object is certainly older than its deletion. */
    boolean late(ApiObject told) {
        return dead.late(told.metadata().uid(), told.metadata().resourceVersion());
    }

    /** The store has the object again. */
    void revive(String uid) {
        dead.remove(uid);
    }

    void bury(String uid, String revision) {
        dead.add(uid, revision);
        if (!aging && !dead.isEmpty()) {
            aging = true;
            ports.timer().after(TOMBSTONE_AGE, this::age);
        }
    }

    void tell(ObjectChange change) {
        for (ObjectListener listener : listeners) {
            try {
                listener.changed(change);
            } catch (Throwable failure) {
                // A failing listener must not look like a failure of the source, and must not prevent calls of other
                // listeners.
                LOG.atError()
                        .setCause(failure)
                        .addKeyValue("object", change.key())
                        .log("listener of the cache failed");
            }
        }
    }

    void tellListed(Kind kind, int objects) {
        for (ObjectListener listener : listeners) {
            try {
                listener.listed(kind, objects);
            } catch (Throwable failure) {
                LOG.atError()
                        .setCause(failure)
                        .addKeyValue("kind", kind)
                        .addKeyValue("listed", objects)
                        .log("listener of the cache failed");
            }
        }
    }

    void tell(Kind kind, boolean complete) {
        for (ObjectListener listener : listeners) {
            try {
                listener.completeness(kind, complete);
            } catch (Throwable failure) {
                LOG.atError()
                        .setCause(failure)
                        .addKeyValue("kind", kind)
                        .addKeyValue("complete", complete)
                        .log("listener of the cache failed");
            }
        }
    }

    private void age() {
        dead.age();
        aging = !dead.isEmpty() && !closed;
        if (aging) {
            ports.timer().after(TOMBSTONE_AGE, this::age);
        }
    }

    private KindFeed feed(Kind kind) {
        @Nullable KindFeed feed = feeds.get(kind);
        if (feed == null) {
            throw new IllegalArgumentException(
                    "this cache does not keep " + kind.apiName() + " objects, only " + feeds.keySet());
        }
        return feed;
    }
}
