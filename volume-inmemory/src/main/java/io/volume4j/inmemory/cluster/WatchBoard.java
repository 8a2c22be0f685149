package io.volume4j.inmemory.cluster;

import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;

/** The latest changes and the open watches. Thread-safe. */
final class WatchBoard {
    private final ManualClock clock;
    private final Executor executor;
    private final int most;
    private final ArrayDeque<Change> history = new ArrayDeque<>();
    private final List<ClusterWatch> watches = new ArrayList<>();
    private long forgottenUpTo;
    private long latest;
    private boolean holdNew;

    /** @param revision before the first change */
    WatchBoard(ManualClock clock, Executor executor, int most, long revision) {
        this.clock = clock;
        this.executor = executor;
        this.most = most;
        this.forgottenUpTo = revision;
        this.latest = revision;
    }

    /** Adds a change; the caller must {@link ClusterWatch#deliver()} to the returned watches without any lock. */
    synchronized List<ClusterWatch> publish(Change change) {
        latest = change.revision();
        history.add(change);
        if (history.size() > most) {
            forgottenUpTo = history.remove().revision();
        }
        List<ClusterWatch> told = new ArrayList<>();
        for (ClusterWatch watch : watches) {
            WatchEvent event = watch.kind() == change.kind() ? change.seenBy(watch.selection()) : null;
            if (event != null) {
                watch.offer(event);
                told.add(watch);
            }
        }
        return told;
    }

    /** The latest known changes, the newest first, at most this many. */
    synchronized List<Change> newest(int most) {
        List<Change> found = new ArrayList<>();
        for (Iterator<Change> each = history.descendingIterator(); each.hasNext() && found.size() < most; ) {
            found.add(each.next());
        }
        return found;
    }

    synchronized ClusterWatch open(Kind kind, Selection selection, long from, WatchListener listener) {
        ClusterWatch[] self = new ClusterWatch[1];
        ClusterWatch watch = new ClusterWatch(kind, selection, listener, executor, clock, () -> drop(self[0]));
        self[0] = watch;
        if (from < forgottenUpTo || from > latest) {
            watch.offer(WatchEvent.expired());
            return watch;
        }
        if (holdNew) {
            watch.hold();
        }
        watches.add(watch);
        for (Change change : history) {
            WatchEvent event = change.revision() > from && change.kind() == kind ? change.seenBy(selection) : null;
            if (event != null) {
                watch.offer(event);
            }
        }
        return watch;
    }

    synchronized List<ClusterWatch> open() {
        return List.copyOf(watches);
    }

    synchronized void holdNew(boolean hold) {
        holdNew = hold;
    }

    synchronized void forgetHistory() {
        history.clear();
        forgottenUpTo = latest;
    }

    /**
     * Adds an event that is not a change; the caller must {@link ClusterWatch#deliver()} to the returned watches
     * without any lock.
     */
    synchronized List<ClusterWatch> offerAll(WatchEvent event) {
        watches.forEach(watch -> watch.offer(event));
        return List.copyOf(watches);
    }

    private synchronized void drop(ClusterWatch watch) {
        watches.remove(watch);
    }
}
