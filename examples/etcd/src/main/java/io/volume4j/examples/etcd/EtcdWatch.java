package io.volume4j.examples.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Watch.Listener;
import io.etcd.jetcd.Watch.Watcher;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch of one kind. The client takes up a broken connection by itself, at the revision where it ended. Whatever it cannot
 * bridge (the revision is compacted, the member lost its leader, a value cannot be read) expires the watch, and the library lists
 * anew. Thread-safe.
 */
final class EtcdWatch implements Watch, Listener {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdWatch.class);

    private final Selection selection;
    private final WatchListener listener;
    private final String where;

    /** The last revision that was told, so that a connection that is taken up does not tell it again. */
    private long told;

    private boolean ended;
    private @Nullable Watcher watcher;

    private EtcdWatch(String where, Selection selection, long from, WatchListener listener) {
        this.where = where;
        this.selection = selection;
        this.listener = listener;
        told = from;
    }

    static EtcdWatch open(
            EtcdClient etcd, ByteSequence prefix, Selection selection, long from, WatchListener listener) {
        EtcdWatch watch = new EtcdWatch(EtcdKeys.text(prefix), selection, from, listener);
        WatchOption options = WatchOption.builder()
                .isPrefix(true)
                .withRevision(from + 1)
                .withPrevKV(true)
                .withProgressNotify(true)
                .withRequireLeader(true)
                .build();
        watch.opened(etcd.client().getWatchClient().watch(prefix, options, watch));
        return watch;
    }

    /** It may have ended before its handle is known. */
    private void opened(Watcher handle) {
        boolean over;
        synchronized (this) {
            watcher = handle;
            over = ended;
        }
        if (over) {
            handle.close();
        }
    }

    @Override
    public void onNext(WatchResponse response) {
        try {
            tell(response);
        } catch (ClusterException unreadable) {
            LOG.atWarn()
                    .addKeyValue("watch", where)
                    .log("the watch ends and is begun anew: {}", unreadable.getMessage());
            expire();
        }
    }

    private synchronized void tell(WatchResponse response) {
        for (io.etcd.jetcd.watch.WatchEvent event : response.getEvents()) {
            long revision = event.getKeyValue().getModRevision();
            if (ended || revision < told) {
                continue;
            }
            told = revision;
            WatchEvent seen = seen(event, revision);
            if (seen != null) {
                listener.onEvent(seen);
            }
        }
        if (!ended && response.isProgressNotify()) {
            listener.onEvent(
                    WatchEvent.bookmark(Long.toString(response.getHeader().getRevision())));
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

    @Override
    public void onError(Throwable failed) {
        LOG.atDebug().addKeyValue("watch", where).log("the watch ends: {}", failed.toString());
        expire();
    }

    @Override
    public void onCompleted() {
        expire();
    }

    private void expire() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            listener.onEvent(WatchEvent.expired());
        }
        closeWatcher();
    }

    @Override
    public void close() {
        synchronized (this) {
            ended = true;
        }
        closeWatcher();
    }

    private void closeWatcher() {
        Watcher handle;
        synchronized (this) {
            handle = watcher;
        }
        if (handle != null) {
            handle.close();
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
