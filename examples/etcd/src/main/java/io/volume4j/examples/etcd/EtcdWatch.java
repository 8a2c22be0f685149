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
 * A watch of the keys under a prefix, or of one key. When its connection breaks, it reconnects after the last revision that it
 * delivered, for {@link #PATIENCE} at most. The watch expires, and the library lists again, if the revision is compacted, no member
 * answers for that long, an answer is too large, or a value cannot be read. Thread-safe.
 *
 * <p>It does not use the client's own reconnection, which continues from etcd's revision at the creation of the watch and so loses the
 * events that were in transit then.
 */
final class EtcdWatch implements Watch {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdWatch.class);

    /** How long a broken watch tries to reconnect before it expires. The library then lists, which also shows whether etcd answers. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final EtcdClient etcd;
    private final ByteSequence key;
    private final boolean prefix;
    private final Selection selection;
    private final WatchListener listener;

    /** The last revision that was delivered. */
    private long told;

    private boolean ended;

    /** The connection whose answers count. */
    private @Nullable Connection current;

    private Duration pause = FIRST_PAUSE;

    /** {@link System#nanoTime} of the first break after the last answer; 0 for none. */
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

    /** Begins to deliver the changes after the revision. */
    EtcdWatch open() {
        connect();
        return this;
    }

    /** One stream from a member. The watch ignores its events after another stream has replaced it. */
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
            } catch (RuntimeException | Error broken) {
                // Whatever it is, the client of etcd would go on with the next event, and this one would be lost.
                LOG.atError()
                        .addKeyValue("watch", EtcdKeys.text(key))
                        .setCause(broken)
                        .log("an event cannot be told; the watch ends and is begun anew");
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

        /** Stores the handle. The connection may have ended before; then this closes the handle. */
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

    /** A connection for tests, which replaces the current one; the test calls it in place of etcd. */
    Connection standIn() {
        Connection made = new Connection();
        synchronized (this) {
            current = made;
        }
        return made;
    }

    /** The last revision that was delivered; for tests. */
    synchronized long told() {
        return told;
    }

    /** The options of each watch. */
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
            Watcher handle = etcd.client().getWatchClient().watch(key, options(prefix, from), made);
            made.opened(handle);
            if (handle.isClosed()) {
                // its client was closed in this moment, and tells nothing of a watch that it did not know yet
                broken(made, EtcdExceptionFactory.newEtcdException(ErrorCode.UNAVAILABLE, "the client connected anew"));
            }
        } catch (RuntimeException | Error failed) {
            // the client is closed, or the machine has no thread for it; without a report the watch would be silent
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
        // deleted, or no longer selected: the same event for the listener
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
