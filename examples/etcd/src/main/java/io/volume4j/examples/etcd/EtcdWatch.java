package io.volume4j.examples.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch.Listener;
import io.etcd.jetcd.Watch.Watcher;
import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.Pod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch of the keys under a prefix, or of one key. When its connection breaks it begins again after the last revision that it
 * told, for {@link #PATIENCE} at most. What it cannot bridge (that revision is compacted, no member answers for so long, an answer
 * is too large, a value cannot be read) expires it, and the library lists anew. Thread-safe.
 *
 * <p>The client's own way to take up a connection is not used: it goes on from the revision at which etcd stood when the watch was
 * made, so it leaves out what was on its way then.
 */
final class EtcdWatch implements Watch {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdWatch.class);

    /** So long a broken watch tries to go on before the library is told to list: a listing also tells whether etcd answers. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final EtcdClient etcd;
    private final ByteSequence key;
    private final boolean prefix;
    private final Selection selection;
    private final WatchListener listener;

    /** The last revision of which all is told. */
    private long told;

    private boolean ended;

    /** The connection whose answers count. */
    private @Nullable Connection current;

    private Duration pause = FIRST_PAUSE;

    /** {@link System#nanoTime} of the break after which nothing was heard yet. */
    private long brokenSince;

    EtcdWatch(
            EtcdClient etcd, ByteSequence key, boolean prefix, Selection selection, long from, WatchListener listener) {
        this.etcd = etcd;
        this.key = key;
        this.prefix = prefix;
        this.selection = selection;
        this.listener = listener;
        told = from;
    }

    /** Begins to tell what changes after the revision. */
    EtcdWatch open() {
        connect();
        return this;
    }

    /** One stream from a member; what it brings after another one took its place is ignored. */
    final class Connection implements Listener {
        private @Nullable Watcher watcher;
        private boolean over;

        @Override
        public void onNext(WatchResponse response) {
            try {
                tell(this, response);
            } catch (ClusterException unreadable) {
                LOG.atWarn()
                        .addKeyValue("watch", EtcdKeys.text(key))
                        .log("the watch ends and is begun anew: {}", unreadable.getMessage());
                expire();
            }
        }

        @Override
        public void onError(Throwable failed) {
            broken(this, failed);
        }

        @Override
        public void onCompleted() {
            broken(this, EtcdExceptionFactory.newEtcdException(ErrorCode.UNAVAILABLE, "the member ended the watch"));
        }

        /** It may be over before its handle is known. */
        void opened(Watcher handle) {
            boolean close;
            synchronized (EtcdWatch.this) {
                watcher = handle;
                close = over;
            }
            if (close) {
                handle.close();
            }
        }

        private void close() {
            Watcher handle;
            synchronized (EtcdWatch.this) {
                over = true;
                handle = watcher;
            }
            if (handle != null) {
                handle.close();
            }
        }
    }

    /** A connection that a test speaks for, in place of the one before. */
    Connection standIn() {
        Connection made = new Connection();
        synchronized (this) {
            current = made;
        }
        return made;
    }

    /** The last revision that was told. */
    synchronized long told() {
        return told;
    }

    /** What each watch asks of etcd. */
    static WatchOption options(boolean prefix, long from) {
        return WatchOption.builder()
                .isPrefix(prefix)
                .withRevision(from)
                .withPrevKV(true)
                .withProgressNotify(true)
                .withRequireLeader(true)
                .build();
    }

    private void connect() {
        Connection made = new Connection();
        long from;
        synchronized (this) {
            if (ended) {
                return;
            }
            current = made;
            from = told + 1;
        }
        try {
            made.opened(etcd.client().getWatchClient().watch(key, options(prefix, from), made));
        } catch (RuntimeException failed) {
            // the client is closed
            broken(made, failed);
        }
    }

    private void broken(Connection connection, Throwable failed) {
        boolean again;
        Duration delay;
        synchronized (this) {
            if (ended || connection != current) {
                return;
            }
            current = null;
            long now = System.nanoTime();
            brokenSince = brokenSince == 0 ? now : brokenSince;
            delay = pause;
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause.multipliedBy(2);
            again = EtcdFailure.of("watch", failed).kind() == EtcdFailure.Kind.BROKEN
                    && now - brokenSince < PATIENCE.toNanos();
        }
        LOG.atDebug()
                .addKeyValue("watch", EtcdKeys.text(key))
                .addKeyValue("again", again)
                .log("the watch broke: {}", failed.toString());
        connection.close();
        if (!again || !etcd.later(delay, this::connect)) {
            expire();
        }
    }

    private synchronized void tell(Connection connection, WatchResponse response) {
        if (ended || connection != current) {
            return;
        }
        brokenSince = 0;
        pause = FIRST_PAUSE;
        for (io.etcd.jetcd.watch.WatchEvent event : response.getEvents()) {
            long revision = event.getKeyValue().getModRevision();
            if (ended || revision < told) {
                continue;
            }
            WatchEvent seen = seen(event, revision);
            told = revision;
            if (seen != null) {
                listener.onEvent(seen);
            }
        }
        if (!ended && response.isProgressNotify()) {
            told = Math.max(told, response.getHeader().getRevision());
            listener.onEvent(WatchEvent.bookmark(Long.toString(told)));
        }
    }

    private @Nullable WatchEvent seen(io.etcd.jetcd.watch.WatchEvent event, long revision) {
        ApiObject before = event.getPrevKV().getModRevision() == 0 ? null : read(event.getPrevKV());
        if (event.getEventType() == io.etcd.jetcd.watch.WatchEvent.EventType.PUT) {
            ApiObject after = read(event.getKeyValue());
            if (wanted(after, selection)) {
                return WatchEvent.changed(after);
            }
        } else if (before == null) {
            throw new ClusterException(
                    ClusterException.Reason.UNAVAILABLE,
                    "the last state of " + EtcdKeys.text(event.getKeyValue().getKey()) + " is compacted");
        }
        // gone, or gone out of the selection, which looks the same to the listener
        return before != null && wanted(before, selection) ? WatchEvent.deleted(before, Long.toString(revision)) : null;
    }

    private static ApiObject read(KeyValue entry) {
        return StoredObjects.read(entry.getKey(), entry.getValue(), entry.getModRevision());
    }

    private void expire() {
        Connection last;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            last = current;
            current = null;
            listener.onEvent(WatchEvent.expired());
        }
        if (last != null) {
            last.close();
        }
    }

    @Override
    public void close() {
        Connection last;
        synchronized (this) {
            ended = true;
            last = current;
            current = null;
        }
        if (last != null) {
            last.close();
        }
    }

    /** Whether a selection wants the object. */
    static boolean wanted(ApiObject object, Selection selection) {
        if (selection.nodeName().isEmpty()) {
            return true;
        }
        if (object instanceof Pod pod) {
            return pod.spec().nodeName().equals(selection.nodeName());
        }
        return !(object instanceof Node) || object.metadata().name().equals(selection.nodeName());
    }
}
