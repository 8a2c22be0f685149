package io.volume4j.core.objects;

import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
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
 * One kind of an {@link ObjectCache}: lists, takes the listing over in slices, watches from there, and begins again when
 * the watch ends. Each round is a session with a number; what belongs to an earlier session is ignored.
 *
 * <p>What a source or a listener throws, errors of the JVM included, ends the session and begins another: what it did not get
 * to would otherwise be missed for ever, in a kind that passes for complete.
 *
 * <p>Loop thread only, except {@link Receiver}, which posts to the loop.
 */
final class KindFeed {
    private static final Logger LOG = LoggerFactory.getLogger(KindFeed.class);

    /** Objects taken over in one task of the loop: some tenths of a millisecond. */
    private static final int SLICE = 512;

    /**
     * A watch that lived this long was a success, also if nothing happened meanwhile. One that ends sooner is none, also if it told
     * something: a source whose watches always end at once would be listed without a pause.
     */
    private static final Duration PROVEN = Duration.ofMinutes(1);

    final Map<ObjectKey, ApiObject> objects = new DenseMap<>();
    boolean complete;

    private final Kind kind;
    private final Selection selection;
    private final Selected wanted;
    private final ObjectCache cache;
    private final LiveReads reads;

    /** Known from our own writes only: absence from a listing says nothing about these. */
    private final Set<ObjectKey> unconfirmed = new HashSet<>();

    /** UIDs that were seen deleted and about which the store is being asked again. */
    private final Set<String> returning = new HashSet<>();

    private long session;
    private int failures;

    /** Of the latest listing: what is not known and not newer than it is gone. {@code ""} before the first one. */
    private String listedAt = "";

    /** Why the kind is not known completely, as far as that was a failure; {@code ""} if it was none. */
    private String trouble = "";

    private @Nullable OpeningWatch watch;

    KindFeed(Kind kind, Selection selection, ObjectCache cache) {
        this.kind = kind;
        this.selection = selection;
        this.wanted = new Selected(selection);
        this.cache = cache;
        this.reads = new LiveReads(cache.source(), cache.ports());
    }

    void relist() {
        if (cache.closed()) {
            return;
        }
        long mine = ++session;
        returning.clear();
        setComplete(false);
        endWatch();
        boolean mayHaveGone = !objects.isEmpty();
        onWorker(mine, () -> {
            ClusterSource.Listing listing = given(
                    cache.source().list(kind, selection), "list", "a Listing, without objects where there are none");
            @Nullable Set<ObjectKey> present = mayHaveGone ? keys(listing) : null;
            int here = Math.toIntExact(listing.objects().stream().filter(wanted).count());
            post(mine, () -> {
                cache.tellListed(kind, here);
                takeOver(mine, listing, present, 0);
            });
        });
    }

    private <T> T given(@Nullable T answer, String call, String what) {
        if (answer == null) {
            throw new IllegalStateException(
                    "the host's ClusterSource, " + cache.source().getClass().getName() + ", returned null from " + call
                            + " of " + kind.apiName() + "; it must return " + what);
        }
        return answer;
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

    void close() {
        session++;
        setComplete(false);
        endWatch();
    }

    void applyOwn(ApiObject stored) {
        if (!wanted.test(stored)) {
            return;
        }
        ObjectKey key = stored.key();
        boolean unknown = !objects.containsKey(key);
        take(stored, false);
        if (unknown && objects.containsKey(key) && !listedAt.isEmpty() && !laterThan(listedAt, stored)) {
            // An answer that is older than a listing without the object: no event will tell of its end.
            verify(key);
        }
    }

    void applyAbsent(ObjectKey key, String uid) {
        applyAbsent(key, uid, "");
    }

    /** @param revision of the store when it did not have the object, {@code ""} if that is not known */
    private void applyAbsent(ObjectKey key, String uid, String revision) {
        @Nullable ApiObject current = objects.get(key);
        cache.bury(uid, revision);
        if (current != null && current.metadata().uid().equals(uid)) {
            cache.bury(uid, current.metadata().resourceVersion());
            drop(key, current);
        }
    }

    /** Asks the store itself for the object that is known by that name now. */
    void verify(ObjectKey key) {
        @Nullable ApiObject current = objects.get(key);
        if (current != null) {
            unconfirmed.add(key);
            verify(session, key, current.metadata().uid(), 1);
        }
    }

    /** @param present what the listing shows; null if nothing was known before it, so that only what was written since can be missing */
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

    /** Drops what the listing no longer shows. */
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
        OpeningWatch opening = new OpeningWatch();
        watch = opening;
        onWorker(mine, () -> {
            ClusterSource.Watch opened =
                    given(cache.source().watch(kind, selection, revision, receiver), "watch", "a Watch to close");
            if (opening.opened(opened)) {
                post(mine, () -> watching(mine));
            } else {
                close(opened);
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
                // says only that nothing was missed
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
     * Whether the object was written after the moment that a listing shows, as it can be where a cache answers: the listing
     * says nothing of it then, and the watch from that moment on will.
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
     * Asks the store about an object that was seen deleted and is told of at a later revision. Either this too is older than the
     * deletion, whose own revision is not known, or the store was restored from a backup.
     */
    private void mayBeBack(ApiObject told) {
        String uid = told.metadata().uid();
        if (cache.late(told) || !returning.add(uid)) {
            return;
        }
        askAbout(session, told, 1);
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
        returning.remove(uid);
        live.ifPresent(this::takeBack);
        if (live.filter(found -> sameUid(found, told)).isEmpty()) {
            applyAbsent(told.key(), uid, told.metadata().resourceVersion());
        }
    }

    private void takeBack(ApiObject live) {
        if (cache.seenDeleted(live.metadata().uid()) && !cache.late(live)) {
            LOG.warn(
                    "action=take-back object={} uid={} advice=\"the store has an object that was deleted: was it restored from"
                            + " a backup? Then restart this process\"",
                    live.key(),
                    live.metadata().uid());
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

    /** A listing did not show what we wrote: it may be older than the write, so the store itself is asked. */
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
        endWatch();
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
            boolean refused = failure instanceof ClusterException;
            trouble = refused ? String.valueOf(failure.getMessage()) : failure.toString();
            // One line for an outage, however long it lasts.
            if (failures <= 1 && refused) {
                LOG.warn("action=list-and-watch kind={} error=\"{}\"", kind, failure.toString());
            } else if (failures <= 1) {
                LOG.warn("action=list-and-watch kind={} error=\"the cluster source failed\"", kind, failure);
            } else {
                LOG.debug("action=list-and-watch kind={} failures={} error=\"{}\"", kind, failures, failure.toString());
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
                } catch (RuntimeException | Error failure) {
                    quietly(() -> cache.ports().loop().execute(() -> failed(mine, failure)));
                }
            });
        } catch (RuntimeException | Error noWorker) {
            failed(mine, noWorker);
        }
    }

    /** Runs the task on the loop if the session still goes on; a task that fails ends the session. */
    private void post(long mine, Runnable task) {
        quietly(() -> cache.ports().loop().execute(() -> {
            if (session != mine) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException | Error failure) {
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

    private void endWatch() {
        @Nullable OpeningWatch ended = watch;
        watch = null;
        if (ended != null) {
            ended.end().ifPresent(this::closeLater);
        }
    }

    private void closeLater(ClusterSource.Watch ended) {
        if (cache.closed()) {
            // The workers end as well, and what they have not begun by then is never done.
            close(ended);
            return;
        }
        try {
            cache.ports().worker().execute(() -> close(ended));
        } catch (RuntimeException | Error noWorker) {
            close(ended);
        }
    }

    /** What the source throws is its own trouble: the session is over, and others are to be ended yet. */
    private void close(ClusterSource.Watch ended) {
        try {
            ended.close();
        } catch (RuntimeException | Error failure) {
            LOG.warn("action=close-watch kind={}", kind, failure);
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

    /** An executor that has ended is the end of the process's interest, not a failure. */
    static void quietly(Runnable handOver) {
        try {
            handOver.run();
        } catch (RejectedExecutionException ended) {
            LOG.debug("action=hand-over error=\"{}\"", ended.toString());
        }
    }

    /** Brings the events of one session to the loop; called on any thread. */
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
