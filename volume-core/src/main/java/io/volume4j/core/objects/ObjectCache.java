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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of some kinds, kept up to date by list and watch. All its methods are called on the loop that it was given,
 * and all listeners are called there, in the order of the changes.
 *
 * <p>Rules that hold at every moment:
 *
 * <ul>
 *   <li>An object never goes back to an older revision, also when the older one comes from a listing or a slow watch.
 *   <li>What the loop wrote ({@link #applyOwnWrite}) counts at once. A listing that does not show it yet does not remove
 *       it; only a live read may.
 *   <li>A UID that was seen deleted stays deleted, whatever arrives late. Only where the store itself, asked after that, has
 *       the object at a later revision, it is back: the store was restored from a backup.
 *   <li>{@link #complete} is false until the first listing was taken over, and again from the moment a watch ends until
 *       the next listing was. While it is false, absence means nothing.
 * </ul>
 *
 * <p>A listing is taken over in slices, so that a relist of many objects delays no other work of the loop for long.
 */
public final class ObjectCache implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectCache.class);

    /** Deleted UIDs are remembered at least this long: longer than any write is in flight. */
    static final Duration TOMBSTONE_AGE = Duration.ofMinutes(10);

    private final ClusterSource source;
    private final CachePorts ports;
    /** In the order in which they are begun. */
    private final Map<Kind, KindFeed> feeds = new LinkedHashMap<>();

    private final List<ObjectListener> listeners = new ArrayList<>();
    private final DeadUids dead;
    private boolean begun;
    private boolean aging;
    private boolean closed;

    /**
     * A cache that holds nothing before {@link #start()}.
     *
     * @param kinds what to keep, in the order in which they are listed; objects that their selection does not want are ignored even if the source gives them
     */
    public ObjectCache(ClusterSource source, Map<Kind, Selection> kinds, CachePorts ports) {
        this.source = source;
        this.dead = new DeadUids(source::compareRevisions);
        this.ports = ports;
        kinds.forEach((kind, selection) -> feeds.put(kind, new KindFeed(kind, selection, this)));
    }

    /** Keeps objects of one more kind. Before {@link #start()} only; a kind that is kept already stays as it is. */
    public void also(Kind kind, Selection selection) {
        feeds.putIfAbsent(kind, new KindFeed(kind, selection, this));
    }

    /** Begins to list and watch. Add listeners before; a later one is told of later changes only. */
    public void start() {
        begun = true;
        feeds.values().forEach(KindFeed::relist);
    }

    /** Adds a listener; it is told of changes until the cache is closed. */
    public void listener(ObjectListener listener) {
        listeners.add(listener);
    }

    /** The object as last known; empty means absent only if its kind is {@link #complete}. */
    public Optional<ApiObject> get(ObjectKey key) {
        return Optional.ofNullable(feed(key.kind()).objects.get(key));
    }

    /** The object as last known, if it is one of this type. */
    public <T extends ApiObject> Optional<T> get(ObjectKey key, Class<T> type) {
        @Nullable ApiObject object = feed(key.kind()).objects.get(key);
        return type.isInstance(object) ? Optional.of(type.cast(object)) : Optional.empty();
    }

    /** All known objects of the kind, in the order in which they became known: a live view, not to be walked while it changes. */
    public Collection<ApiObject> all(Kind kind) {
        return Collections.unmodifiableCollection(feed(kind).objects.values());
    }

    /** The same with the keys that the cache itself keeps, for those who remember keys and need no copies of them. */
    public void forEach(Kind kind, BiConsumer<ObjectKey, ApiObject> taker) {
        feed(kind).objects.forEach(taker);
    }

    /** Whether what is not here does not exist. */
    public boolean complete(Kind kind) {
        return feed(kind).complete;
    }

    /** Whether that is so of all of its kinds. */
    public boolean complete() {
        return begun && feeds.values().stream().allMatch(feed -> feed.complete);
    }

    /** For a person, why not all of its kinds are {@link #complete}. */
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
     * Takes over what a write of our own, or a live read, returned. Ignored if it is older than what is known, or already
     * deleted.
     */
    public void applyOwnWrite(ApiObject stored) {
        if (!closed) {
            feed(stored.kind()).applyOwn(stored);
        }
    }

    /**
     * Takes over that a live read did not find the object, or that a write of our own removed it.
     *
     * @param uid of the object that is gone; another one of the same name stays
     */
    public void applyAbsent(ObjectKey key, String uid) {
        if (!closed) {
            feed(key.kind()).applyAbsent(key, uid);
        }
    }

    /**
     * Takes over that the store did not have the object when it was asked. Where only its name is known, another object may
     * have got that since, and the store is asked about the one that is known now.
     *
     * @param uid of the object that was asked for, {@code ""} if only its name is known
     */
    public void seenAbsent(ObjectKey key, String uid) {
        if (!uid.isEmpty()) {
            applyAbsent(key, uid);
        } else if (!closed) {
            feed(key.kind()).verify(key);
        }
    }

    /** Ends the watches. What is known can still be read. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            feeds.values().forEach(KindFeed::close);
        }
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

    /** Whether the source itself said, some minutes ago at most, that the object with this UID is gone. */
    public boolean seenDeleted(String uid) {
        return dead.contains(uid);
    }

    /** Whether that revision of an object that was seen deleted is from before its deletion for sure. */
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
            } catch (RuntimeException | Error failure) {
                // One listener's mistake must not look like a failure of the source, nor starve the others.
                LOG.error("action=tell object={}", change.key(), failure);
            }
        }
    }

    void tellListed(Kind kind, int objects) {
        for (ObjectListener listener : listeners) {
            try {
                listener.listed(kind, objects);
            } catch (RuntimeException | Error failure) {
                LOG.error("action=tell kind={} listed={}", kind, objects, failure);
            }
        }
    }

    void tell(Kind kind, boolean complete) {
        for (ObjectListener listener : listeners) {
            try {
                listener.completeness(kind, complete);
            } catch (RuntimeException | Error failure) {
                LOG.error("action=tell kind={} complete={}", kind, complete, failure);
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
