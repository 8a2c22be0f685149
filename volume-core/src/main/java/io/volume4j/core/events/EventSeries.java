package io.volume4j.core.events;

import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.model.ObjectReference;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which events are written to the cluster:
 *
 * <ol>
 *   <li>An event without an equal one within six minutes becomes a new object.
 *   <li>An equal event raises the count of that object. The count is written at once the first time, then at most
 *       every half minute.
 *   <li>For one object, 25 events are written at once, and one more every five minutes. Others are dropped: an object
 *       with ever new messages must not fill the cluster's store.
 *   <li>At most 4,096 series and objects are stored. The one without events for the longest time is removed first, also
 *       if it was not written yet.
 * </ol>
 *
 * <p>Times are nanoseconds of the caller's clock. Not thread-safe.
 */
final class EventSeries {
    static final Duration SILENCE = Duration.ofMinutes(6);
    static final Duration REFRESH = Duration.ofSeconds(30);
    static final Duration REFILL = Duration.ofMinutes(5);
    static final int BURST = 25;
    static final int REMEMBERED = 4096;

    private record Key(EventSink.Event.Type type, String reason, ObjectReference object, String message) {}

    /** One event and its repetitions. */
    static final class Series {
        final EventSink.Event event;
        final Instant first;
        /** Name of the object in the store, {@code ""} before it has one. */
        String name = "";

        /** Whether the store is known to have the object. */
        boolean stored;

        long count;
        Instant last;
        private long written;
        private long writtenAt;
        private long seenAt;

        private Series(EventSink.Event event, Instant first) {
            this.event = event;
            this.first = first;
            this.last = first;
        }

        /** The store has this count. */
        void written(long count, long now) {
            written = count;
            writtenAt = now;
        }

        /** When its count must be written next; null if the store has it. */
        @Nullable
        Long dueAt() {
            if (written == count) {
                return null;
            }
            return written <= 1 ? writtenAt : writtenAt + REFRESH.toNanos();
        }
    }

    private static final class Budget {
        private int left = BURST;
        private long since;
    }

    private final Map<Key, Series> series = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<ObjectReference, Budget> budgets = new LinkedHashMap<>(16, 0.75f, true);
    private final Consumer<Series> removed;
    private long dropped;

    /** @param removed gets each series that no event can continue any more: another one replaced it, or there are too many */
    EventSeries(Consumer<Series> removed) {
        this.removed = removed;
    }

    /** The series that the event begins or continues; null if the object has had too many events. */
    @Nullable
    Series heard(EventSink.Event event, long now, Instant at) {
        Key key = new Key(event.type(), event.reason(), event.object(), event.message());
        @Nullable Series known = series.get(key);
        if (known != null && now - known.seenAt < SILENCE.toNanos()) {
            known.count++;
            known.last = at;
            known.seenAt = now;
            return known;
        }
        if (!spend(event.object(), now)) {
            dropped++;
            return null;
        }
        Series begun = new Series(event, at);
        begun.count = 1;
        begun.seenAt = now;
        begun.writtenAt = now;
        if (known != null) {
            removed.accept(known);
        }
        series.put(key, begun);
        Series oldest = bound(series);
        if (oldest != null) {
            removed.accept(oldest);
        }
        return begun;
    }

    /** The store no longer has the series' object: the next event begins another series. */
    void forget(Series gone) {
        series.values().removeIf(each -> each == gone);
    }

    /** How many events were dropped to protect the store. */
    long dropped() {
        return dropped;
    }

    private boolean spend(ObjectReference object, long now) {
        Budget budget = budgets.computeIfAbsent(object, fresh -> {
            Budget made = new Budget();
            made.since = now;
            return made;
        });
        bound(budgets);
        long refills = (now - budget.since) / REFILL.toNanos();
        if (refills > 0) {
            budget.left = (int) Math.min(BURST, budget.left + refills);
            budget.since += refills * REFILL.toNanos();
        }
        if (budget.left == 0) {
            return false;
        }
        budget.left--;
        return true;
    }

    /** Removes the oldest entry if there are too many. Returns its value. */
    private static <V> @Nullable V bound(Map<?, V> map) {
        if (map.size() <= REMEMBERED) {
            return null;
        }
        Iterator<V> values = map.values().iterator();
        V oldest = values.next();
        values.remove();
        return oldest;
    }
}
