package io.volume4j.examples.agent.schedule;

import io.volume4j.spi.host.ClusterSource;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All objects of one kind, from a list and the watch after it. When a watch expires or cannot be opened, it lists again, after a pause
 * if the list failed. Belongs to the thread of its executor, which runs one task at a time; the reader asks the cluster.
 */
final class Followed<T extends ApiObject> {
    private static final Logger LOG = LoggerFactory.getLogger(Followed.class);
    private static final long PAUSE_SECONDS = 2;
    private static final long NONE = 0;

    private final ClusterSource cluster;
    private final Kind kind;
    private final Class<T> type;
    private final ScheduledExecutorService executor;
    private final Executor reader;
    private final Listener<T> listener;
    private final Map<ObjectKey, T> objects = new LinkedHashMap<>();
    private long rounds;
    private boolean complete;
    private boolean warned;

    /** Guarded by this object, like the next two. */
    private ClusterSource.@Nullable Watch watch;

    private long current = NONE;
    private boolean closed;

    /** Gets each change, on the executor's thread. */
    interface Listener<T> {
        /**
         * An object is new, has changed, or is gone.
         *
         * @param before null if it is new
         * @param after null if it is gone
         */
        void changed(@Nullable T before, @Nullable T after);
    }

    Followed(
            ClusterSource cluster,
            Kind kind,
            Class<T> type,
            ScheduledExecutorService executor,
            Executor reader,
            Listener<T> listener) {
        this.reader = reader;
        this.cluster = cluster;
        this.kind = kind;
        this.type = type;
        this.executor = executor;
        this.listener = listener;
    }

    Optional<T> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    /** Whether a list was read, so that an unknown object does not exist. */
    boolean complete() {
        return complete;
    }

    /** Reads on a thread of the reader: the cluster may answer late or never, and decisions must go on. */
    void list() {
        long number = ++rounds;
        ClusterSource.@Nullable Watch ended = begin(number);
        try {
            reader.execute(() -> read(number, ended));
        } catch (RuntimeException | Error noThread) {
            failed(number, noThread);
        }
    }

    /** On the reader. Events follow the listing, because the executor keeps the order. */
    private void read(long number, ClusterSource.@Nullable Watch ended) {
        try {
            if (ended != null) {
                ended.close();
            }
            ClusterSource.Listing listing = cluster.list(kind, Selection.all());
            executor.execute(() -> take(number, listing));
            ClusterSource.Watch opened = cluster.watch(
                    kind, Selection.all(), listing.revision(), event -> executor.execute(() -> hear(number, event)));
            if (keep(number, opened)) {
                executor.execute(() -> warned = false);
            } else {
                opened.close();
            }
        } catch (RuntimeException | Error failed) {
            // also an Error, such as a failed start of a thread: without another attempt the scheduler would have no
            // objects
            executor.execute(() -> failed(number, failed));
        }
    }

    /** After a failure the listing is read again: the objects behind the one that failed would be lost. */
    private void take(long number, ClusterSource.Listing listing) {
        if (number != rounds) {
            return;
        }
        try {
            Set<ObjectKey> gone = new LinkedHashSet<>(objects.keySet());
            complete = true;
            for (ApiObject each : listing.objects()) {
                gone.remove(each.key());
                put(each.key(), type.cast(each));
            }
            gone.forEach(key -> put(key, null));
        } catch (RuntimeException | Error failed) {
            failed(number, failed);
        }
    }

    private void failed(long number, Throwable failed) {
        if (number != rounds) {
            return;
        }
        if (!warned) {
            warned = true;
            LOG.atWarn()
                    .addKeyValue("kind", kind)
                    .log(
                            "the scheduler cannot read its objects, and tries again every {} s: {}",
                            PAUSE_SECONDS,
                            failed.getMessage());
        }
        later();
    }

    /** @param number the round of the watch: late events of an earlier watch are dropped */
    private void hear(long number, WatchEvent event) {
        if (number != rounds) {
            return;
        }
        switch (event.type()) {
            case CHANGED -> put(event.requireObject().key(), type.cast(event.requireObject()));
            case DELETED -> put(event.requireObject().key(), null);
            case BOOKMARK -> {}
            case EXPIRED -> list();
        }
    }

    private void put(ObjectKey key, @Nullable T after) {
        @Nullable T before = after == null ? objects.remove(key) : objects.put(key, after);
        if (before != null || after != null) {
            listener.changed(before, after);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a list that fails logs it
    private void later() {
        executor.schedule(this::list, PAUSE_SECONDS, TimeUnit.SECONDS);
    }

    /** A round begins. Returns the watch of the last one, which the reader must close. */
    private synchronized ClusterSource.@Nullable Watch begin(long number) {
        ClusterSource.@Nullable Watch ended = watch;
        watch = null;
        current = closed ? NONE : number;
        return ended;
    }

    /** Keeps the watch, unless its round is over: then the caller must close it. */
    private synchronized boolean keep(long number, ClusterSource.Watch opened) {
        if (current != number) {
            return false;
        }
        watch = opened;
        return true;
    }

    /** Any thread may call it. The reader closes the watch, also one that it is opening. */
    void close() {
        ClusterSource.@Nullable Watch ended;
        synchronized (this) {
            closed = true;
            current = NONE;
            ended = watch;
            watch = null;
        }
        if (ended != null) {
            reader.execute(ended::close);
        }
    }
}
