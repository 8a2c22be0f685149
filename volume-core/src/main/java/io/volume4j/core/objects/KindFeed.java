package io.volume4j.core.objects;

import io.volume4j.core.engine.NoThread;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One kind of an {@link ObjectCache}: lists, applies the listing in slices, watches from there, and starts again when
 * the watch ends. Each round is a session with a number; events of an earlier session are ignored.
 *
 * <p>An exception of a source or a listener, including errors of the JVM, ends the session and starts another.
 * Otherwise the cache would miss events forever, while the kind counts as complete.
 */
final class KindFeed {
    private static final Logger LOG = LoggerFactory.getLogger(KindFeed.class);

    /** Objects applied in one task of the loop: takes some tenths of a millisecond. */
    private static final int SLICE = 512;

    /**
     * A watch of this length was a success, even without events. A shorter one was not, even with events: otherwise a
     * source whose watches always end at once would be listed without a pause.
     */
    private static final Duration PROVEN = Duration.ofMinutes(1);

    final Map<ObjectKey, ApiObject> objects = new DenseMap<>();
    boolean complete;

    private final Kind kind;
    private final Selection selection;
    private final Selected wanted;
    private final ObjectCache cache;
    private final LiveReads reads;

    /** Objects known only from our own writes: a listing without them proves nothing. */
    private final Set<ObjectKey> unconfirmed = new HashSet<>();

    /** The latest state of each object that was seen deleted and for which a live read is under way, by UID. */
    private final Map<String, ApiObject> returning = new HashMap<>();

    private long session;
    private int failures;

    /**
     * Revision of the latest listing: an unknown object that is not newer is deleted. {@code ""} before the first
     * listing.
     */
    private String listedAt = "";

    /** The failure because of which the kind is not complete; {@code ""} for none. */
    private String trouble = "";

    private final FeedWatch watch;

    KindFeed(Kind kind, Selection selection, ObjectCache cache) {
        this.kind = kind;
        this.selection = selection;
        this.wanted = new Selected(selection);
        this.cache = cache;
        this.reads = new LiveReads(cache.source(), cache.ports());
        this.watch = new FeedWatch(kind, cache.ports());
    }

    void relist() {
        if (cache.closed()) {
            return;
        }
        long mine = ++session;
        returning.clear();
        setComplete(false);
        watch.end();
        boolean mayHaveGone = !objects.isEmpty();
        onWorker(mine, () -> {
            ClusterSource source = cache.source();
            ClusterSource.Listing listing = SourceAnswer.listing(source.list(kind, selection), source, kind);
            @Nullable Set<ObjectKey> present = mayHaveGone ? keys(listing) : null;
            int here = Math.toIntExact(listing.objects().stream().filter(wanted).count());
            post(mine, () -> {
                cache.tellListed(kind, here);
                takeOver(mine, listing, present, 0);
            });
        });
    }

    private static Set<ObjectKey> keys(ClusterSource.Listing listing) {
        Set<ObjectKey> keys = new HashSet<>();
        for (ApiObject object : listing.objects()) {
            keys.add(object.key());
        }
        return keys;
    }

    String trouble() {
        return trouble;
    }

    /** Ends the feed. A worker closes its watch. */
    void close() {
        session++;
        setComplete(false);
        watch.end();
    }

    /** Ends the feed. Returns what closes its watch; that may hang. */
    Runnable end() {
        session++;
        setComplete(false);
        return watch.endedBy();
    }

    void applyOwn(ApiObject stored) {
        if (!wanted.test(stored)) {
            return;
        }
        ObjectKey key = stored.key();
        boolean unknown = !objects.containsKey(key);
        take(stored, false);
        if (unknown && objects.containsKey(key) && !listedAt.isEmpty() && !laterThan(listedAt, stored)) {
            // The answer is older than a listing without the object, so no event will report its deletion.
            verify(key);
        }
    }

    void applyAbsent(ObjectKey key, String uid) {
        applyAbsent(key, uid, "");
    }

    /** @param revision of the store when it did not have the object, {@code ""} if unknown */
    private void applyAbsent(ObjectKey key, String uid, String revision) {
        @Nullable ApiObject current = objects.get(key);
        cache.bury(uid, revision);
        if (current != null && current.metadata().uid().equals(uid)) {
            cache.bury(uid, current.metadata().resourceVersion());
            drop(key, current);
        }
    }

    /** Reads the known object of that name from the store. */
    void verify(ObjectKey key) {
        @Nullable ApiObject current = objects.get(key);
        if (current != null) {
            unconfirmed.add(key);
            verify(session, key, current.metadata().uid(), 1);
        }
    }

    /**
     * @param present the objects in the listing. Null if the cache was empty before; then only objects written since
     *     can be missing
     */
    private void takeOver(long mine, ClusterSource.Listing listing, @Nullable Set<ObjectKey> present, int from) {
        List<ApiObject> listed = listing.objects();
        int to = Math.min(from + SLICE, listed.size());
        for (ApiObject object : listed.subList(from, to)) {
            takeFromSource(object);
        }
        if (to < listed.size()) {
            post(mine, () -> takeOver(mine, listing, present, to));
        } else if (present != null) {
            sweep(mine, listing.revision(), present, new ArrayList<>(objects.keySet()), 0);
        } else if (!unconfirmed.isEmpty()) {
            onWorker(mine, () -> {
                Set<ObjectKey> shown = keys(listing);
                post(mine, () -> sweep(mine, listing.revision(), shown, new ArrayList<>(unconfirmed), 0));
            });
        } else {
            listedAt = listing.revision();
            openWatch(mine, listing.revision());
        }
    }

    /** Removes objects that the listing no longer contains. */
    private void sweep(long mine, String revision, Set<ObjectKey> present, List<ObjectKey> known, int from) {
        listedAt = revision;
        int to = Math.min(from + SLICE, known.size());
        for (ObjectKey key : known.subList(from, to)) {
            @Nullable ApiObject current = objects.get(key);
            if (current == null || present.contains(key)) {
                continue;
            }
            if (unconfirmed.contains(key)) {
                verify(mine, key, current.metadata().uid(), 1);
            } else if (!laterThan(revision, current)) {
                applyAbsent(key, current.metadata().uid(), revision);
            }
        }
        if (to < known.size()) {
            post(mine, () -> sweep(mine, revision, present, known, to));
        } else {
            openWatch(mine, revision);
        }
    }

    private void openWatch(long mine, String revision) {
        Receiver receiver = new Receiver(mine);
        OpeningWatch opening = watch.begin();
        onWorker(mine, () -> {
            ClusterSource source = cache.source();
            ClusterSource.Watch opened =
                    SourceAnswer.watch(source.watch(kind, selection, revision, receiver), source, kind);
            if (opening.opened(opened)) {
                post(mine, () -> watching(mine));
            } else {
                watch.close(opened);
            }
        });
    }

    private void watching(long mine) {
        trouble = "";
        setComplete(true);
        if (failures > 0) {
            cache.ports().timer().after(PROVEN, () -> {
                if (session == mine) {
                    failures = 0;
                }
            });
        }
    }

    private void received(WatchEvent event) {
        switch (event.type()) {
            case CHANGED -> takeFromSource(event.requireObject());
            case DELETED -> takeDeletion(event.requireObject(), event.revision());
            case BOOKMARK -> {
                // only shows that no event was lost
            }
            case EXPIRED -> relistLater();
        }
    }

    private void takeFromSource(ApiObject incoming) {
        if (wanted.test(incoming)) {
            take(incoming, true);
        } else {
            @Nullable ApiObject current = objects.get(incoming.key());
            if (current != null && sameUid(current, incoming)) {
                drop(incoming.key(), current);
            }
        }
    }

    /**
     * Whether the object is newer than a listing, as is possible for a listing from a server's cache. The listing then
     * proves nothing about it, and the watch from that revision will report it.
     */
    private boolean laterThan(String revision, ApiObject known) {
        return cache.source().compareRevisions(known.metadata().resourceVersion(), revision) > 0;
    }

    private void take(ApiObject incoming, boolean fromSource) {
        if (cache.seenDeleted(incoming.metadata().uid())) {
            mayBeBack(incoming);
            return;
        }
        ObjectKey key = incoming.key();
        @Nullable ApiObject current = objects.get(key);
        if (current != null) {
            int order = compare(incoming, current);
            if (fromSource && order >= 0) {
                unconfirmed.remove(key);
            }
            if (order <= 0) {
                return;
            }
            if (!sameUid(current, incoming)) {
                applyAbsent(key, current.metadata().uid());
                current = null;
            }
        }
        objects.put(key, incoming);
        if (!fromSource) {
            unconfirmed.add(key);
        }
        cache.tell(new ObjectChange(key, current, incoming));
    }

    private void takeLive(ApiObject stored) {
        if (wanted.test(stored)) {
            take(stored, false);
        }
    }

    /**
     * Reads an object from the store that was seen deleted and now appears with a later revision. Either the event is
     * older than the deletion, whose own revision is unknown, or the store was restored from a backup.
     */
    private void mayBeBack(ApiObject told) {
        if (!cache.late(told) && returning.put(told.metadata().uid(), told) == null) {
            askAbout(session, told, 1);
        }
    }

    private void askAbout(long mine, ApiObject told, int attempt) {
        reads.ask(
                told.key(),
                attempt,
                () -> session == mine,
                live -> post(mine, () -> takeBack(told, live)),
                () -> askAbout(mine, told, attempt + 1));
    }

    private void takeBack(ApiObject told, Optional<ApiObject> live) {
        String uid = told.metadata().uid();
        @Nullable ApiObject latest = returning.remove(uid);
        live.ifPresent(this::takeBack);
        if (live.filter(found -> sameUid(found, told)).isEmpty()) {
            applyAbsent(told.key(), uid, told.metadata().resourceVersion());
        }
        // The read may be older than another deletion and return that came meanwhile.
        if (latest != null && latest != told && cache.seenDeleted(uid)) {
            mayBeBack(latest);
        }
    }

    private void takeBack(ApiObject live) {
        if (cache.seenDeleted(live.metadata().uid()) && !cache.late(live)) {
            if (!(cache.source() instanceof RestatedObjects source && source.mayReturn(live.key()))) {
                LOG.atWarn()
                        .addKeyValue("object", live.key())
                        .addKeyValue("uid", live.metadata().uid())
                        .addKeyValue("advice", "was the store restored from a backup? Then restart this process")
                        .log("the store has an object again that was deleted");
            }
            cache.revive(live.metadata().uid());
        }
        takeLive(live);
    }

    private void takeDeletion(ApiObject last, String revision) {
        cache.bury(last.metadata().uid(), revision);
        @Nullable ApiObject current = objects.get(last.key());
        if (current != null && sameUid(current, last)) {
            drop(last.key(), compare(last, current) > 0 ? last : current);
        }
    }

    private void drop(ObjectKey key, ApiObject last) {
        objects.remove(key);
        unconfirmed.remove(key);
        cache.tell(new ObjectChange(key, last, null));
    }

    /**
     * Reads an object from the store because a listing did not contain our write. The listing may be older than the
     * write.
     */
    private void verify(long mine, ObjectKey key, String uid, int attempt) {
        reads.ask(
                key,
                attempt,
                () -> session == mine,
                live -> post(mine, () -> live.ifPresentOrElse(this::takeLive, () -> applyAbsent(key, uid))),
                () -> {
                    if (unconfirmed.contains(key)) {
                        verify(mine, key, uid, attempt + 1);
                    }
                });
    }

    private void relistLater() {
        session++;
        setComplete(false);
        watch.end();
        if (failures == 0) {
            failures = 1;
            relist();
        } else {
            Duration delay = cache.ports().backoff().apply(failures);
            failures++;
            long mine = session;
            cache.ports().timer().after(delay, () -> {
                if (session == mine) {
                    relist();
                }
            });
        }
    }

    private void failed(long mine, Throwable failure) {
        if (session == mine && !cache.closed()) {
            boolean refused = failure instanceof ClusterException || failure instanceof VolumeException;
            trouble = refused ? String.valueOf(failure.getMessage()) : failure.toString();
            // One line for an outage, independent of its length.
            if (failures <= 1 && refused) {
                LOG.atWarn()
                        .addKeyValue("kind", kind)
                        .addKeyValue("error", failure.toString())
                        .log("list and watch failed; tried again");
            } else if (failures <= 1) {
                LOG.atWarn()
                        .setCause(failure)
                        .addKeyValue("kind", kind)
                        .log("list and watch ended by a defect of the cluster source; tried again");
            } else {
                LOG.atDebug()
                        .addKeyValue("kind", kind)
                        .addKeyValue("failures", failures)
                        .addKeyValue("error", failure.toString())
                        .log("list and watch failed; tried again");
            }
            failures = Math.max(failures, 1);
            relistLater();
        }
    }

    private void onWorker(long mine, Runnable call) {
        try {
            cache.ports().worker().execute(() -> {
                try {
                    call.run();
                } catch (Throwable failure) {
                    quietly(() -> cache.ports().loop().execute(() -> failed(mine, failure)));
                }
            });
        } catch (Throwable noWorker) {
            failed(mine, NoThread.because("cannot read the " + kind.apiName() + " objects of the cluster", noWorker));
        }
    }

    /** Runs the task on the loop if the session is still current. A failed task ends the session. */
    private void post(long mine, Runnable task) {
        quietly(() -> cache.ports().loop().execute(() -> {
            if (session != mine) {
                return;
            }
            try {
                task.run();
            } catch (Throwable failure) {
                failed(mine, failure);
            }
        }));
    }

    private void setComplete(boolean value) {
        if (complete != value) {
            complete = value;
            cache.tell(kind, value);
        }
    }

    private int compare(ApiObject left, ApiObject right) {
        return cache.source()
                .compareRevisions(
                        left.metadata().resourceVersion(), right.metadata().resourceVersion());
    }

    private static boolean sameUid(ApiObject left, ApiObject right) {
        return left.metadata().uid().equals(right.metadata().uid());
    }

    /** Ignores the refusal of an executor that has ended: the process no longer needs the task. */
    static void quietly(Runnable handOver) {
        try {
            handOver.run();
        } catch (RejectedExecutionException ended) {
            LOG.atDebug().addKeyValue("error", ended.toString()).log("a task came after the end of its executor");
        }
    }

    /** Passes the events of one session to the loop. Called on any thread. */
    private final class Receiver implements ClusterSource.WatchListener {
        private final long mine;
        private final WatchInbox inbox = new WatchInbox(SLICE);

        Receiver(long mine) {
            this.mine = mine;
        }

        @Override
        public void onEvent(WatchEvent event) {
            if (inbox.put(event)) {
                post(mine, this::takeOver);
            }
        }

        private void takeOver() {
            WatchInbox.Portion portion = inbox.take();
            if (portion.more()) {
                post(mine, this::takeOver);
            }
            for (WatchEvent event : portion.events()) {
                if (session == mine) {
                    received(event);
                }
            }
        }
    }
}
