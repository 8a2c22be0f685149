package io.volume4j.inmemory.cluster;

import io.volume4j.inmemory.host.ManualClock;
import io.volume4j.spi.host.ClusterSource.Watch;
import io.volume4j.spi.host.ClusterSource.WatchListener;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One watch on the cluster's side. A test can hold it, deliver single events, delay it or break it. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ClusterWatch implements Watch {
    private static final int REPEATABLE = 1024;

    private final Kind kind;
    private final Selection selection;
    private final WatchListener listener;
    private final Executor executor;
    private final ManualClock clock;
    private final Runnable onClose;
    private final List<WatchEvent> pending = new ArrayList<>();
    private final ArrayDeque<WatchEvent> ready = new ArrayDeque<>();
    /** Delayed events, in order. Each has a timer, which takes the first of them. */
    private final ArrayDeque<WatchEvent> delayed = new ArrayDeque<>();
    /** The events that were delivered last, the newest at the end. */
    private final ArrayDeque<WatchEvent> delivered = new ArrayDeque<>();

    private boolean held;
    private Duration delay = Duration.ZERO;
    /** The elapsed time at which the last of the delayed events is due. */
    private Duration lastDue = Duration.ZERO;

    private boolean delivering;
    private boolean closed;

    ClusterWatch(
            Kind kind,
            Selection selection,
            WatchListener listener,
            Executor executor,
            ManualClock clock,
            Runnable onClose) {
        this.kind = kind;
        this.selection = selection;
        this.listener = listener;
        this.executor = executor;
        this.clock = clock;
        this.onClose = onClose;
    }

    public Kind kind() {
        return kind;
    }

    public Selection selection() {
        return selection;
    }

    /** The events that the watch holds, in order. */
    public synchronized List<WatchEvent> pending() {
        return List.copyOf(pending);
    }

    /** Holds all events from now on until the test delivers them. A delayed event is held from its time. */
    public synchronized void hold() {
        held = true;
    }

    /** Delivers all held events, and all later events at once. */
    public void release() {
        synchronized (this) {
            held = false;
            ready.addAll(pending);
            pending.clear();
        }
        deliver();
    }

    /**
     * Delivers one held event.
     * @param index its index in {@link #pending()}. It must be the first event of its object, because events of one
     *     object keep their order
     * @throws IllegalArgumentException if the watch holds an earlier event of the same object
     */
    public void deliver(int index) {
        synchronized (this) {
            WatchEvent chosen = pending.get(index);
            for (WatchEvent earlier : pending.subList(0, index)) {
                if (sameObject(earlier, chosen)) {
                    throw new IllegalArgumentException("an earlier event of the same object is held: " + earlier);
                }
            }
            ready.add(pending.remove(index));
        }
        deliver();
    }

    /**
     * Delivers the latest event of an existing object again, as a source may do after a reconnection.
     * @return whether such an event is among the latest 1,024 events
     */
    public boolean repeat(ObjectKey object) {
        synchronized (this) {
            WatchEvent last = lastDelivered(object);
            if (last == null || last.type() == WatchEvent.Type.DELETED || closed) {
                return false;
            }
            ready.add(last);
        }
        deliver();
        return true;
    }

    /**
     * Delays each later event by this time, on the cluster's clock. No event overtakes an earlier one: after a shorter
     * delay, it is due at the earliest when all events before it are due.
     */
    public synchronized void delay(Duration newDelay) {
        delay = newDelay;
    }

    /** Breaks the watch. The held and the delayed events are lost, and the listener must list again. */
    public void expire() {
        synchronized (this) {
            if (closed) {
                return;
            }
            pending.clear();
            delayed.clear();
            ready.add(WatchEvent.expired());
        }
        onClose.run();
        deliver();
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            pending.clear();
            delayed.clear();
            ready.clear();
        }
        onClose.run();
    }

    /** Takes an event; {@link #deliver()} is to follow, outside of any lock. */
    synchronized void offer(WatchEvent event) {
        if (closed) {
            return;
        }
        if (!delayed.isEmpty() || (!held && !delay.isZero())) {
            Duration now = clock.elapsed();
            Duration due = now.plus(held ? Duration.ZERO : delay);
            lastDue = due.compareTo(lastDue) < 0 ? lastDue : due;
            delayed.add(event);
            clock.after(lastDue.minus(now), this::arrive);
        } else {
            arrive(event);
        }
    }

    /** The first of the delayed events is due. */
    private void arrive() {
        synchronized (this) {
            WatchEvent first = delayed.poll();
            if (first != null) {
                arrive(first);
            }
        }
        deliver();
    }

    private void arrive(WatchEvent event) {
        if (held) {
            pending.add(event);
        } else {
            ready.add(event);
        }
    }

    void deliver() {
        synchronized (this) {
            if (delivering || ready.isEmpty()) {
                return;
            }
            delivering = true;
        }
        AtomicBoolean begun = new AtomicBoolean();
        try {
            executor.execute(() -> {
                begun.set(true);
                drain();
            });
        } catch (RuntimeException | Error failure) {
            if (begun.get()) {
                // The executor runs tasks on this thread, and the listener threw.
                throw failure;
            }
            // There is no thread. Events wait for no later one, and the caller who made them happen has no part in it.
            drain();
        }
    }

    private void drain() {
        for (WatchEvent next = next(); next != null; next = next()) {
            if (next.type() == WatchEvent.Type.EXPIRED) {
                close();
            }
            try {
                listener.onEvent(next);
            } catch (RuntimeException | Error broken) {
                synchronized (this) {
                    delivering = false;
                }
                throw broken;
            }
        }
    }

    private synchronized @Nullable WatchEvent next() {
        if (closed || ready.isEmpty()) {
            delivering = false;
            return null;
        }
        WatchEvent next = ready.remove();
        if (delivered.size() == REPEATABLE) {
            delivered.remove();
        }
        delivered.add(next);
        return next;
    }

    private @Nullable WatchEvent lastDelivered(ObjectKey object) {
        for (Iterator<WatchEvent> newestFirst = delivered.descendingIterator(); newestFirst.hasNext(); ) {
            WatchEvent event = newestFirst.next();
            if (event.object() != null && event.object().key().equals(object)) {
                return event;
            }
        }
        return null;
    }

    private static boolean sameObject(WatchEvent left, WatchEvent right) {
        return left.object() != null
                && right.object() != null
                && left.object().key().equals(right.object().key());
    }
}
