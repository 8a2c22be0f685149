package io.volume4j.core.objects;

import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events of a watch that the loop has not read yet. The loop reads all events that arrived meanwhile together, and
 * only the latest of several states of one object: no caller may rely on seeing all states. Thread-safe.
 */
final class WatchInbox {
    private final int most;
    private final Object lock = new Object();
    /**
     * Guarded by the lock, like the next field. Replaced when it is empty after many events: it would keep its memory.
     */
    private ArrayDeque<WatchEvent> arrived = new ArrayDeque<>();

    private boolean flooded;

    /**
     * Events that are read together.
     *
     * @param events in their order, without those that are followed by a later state of the same object
     * @param more whether other events wait, so that the reader must read again
     */
    record Portion(List<WatchEvent> events, boolean more) {}

    /** @param most the maximum number of events that are read together */
    WatchInbox(int most) {
        this.most = most;
    }

    /** Adds an event. Returns whether the inbox was empty, so that the reader must read it. */
    boolean put(WatchEvent event) {
        synchronized (lock) {
            boolean first = arrived.isEmpty();
            arrived.add(event);
            return first;
        }
    }

    Portion take() {
        List<WatchEvent> events = new ArrayList<>();
        boolean more;
        synchronized (lock) {
            while (events.size() < most && !arrived.isEmpty()) {
                events.add(arrived.remove());
            }
            more = !arrived.isEmpty();
            if (flooded && !more) {
                arrived = new ArrayDeque<>();
            }
            flooded = more;
        }
        return new Portion(events.size() > 1 ? latest(events) : events, more);
    }

    /** Omits events that are followed by a later state of the same object. Keeps all creations and deletions. */
    private static List<WatchEvent> latest(List<WatchEvent> events) {
        BitSet overtaken = new BitSet();
        Map<ObjectKey, WatchEvent> next = new HashMap<>();
        for (int i = events.size() - 1; i >= 0; i--) {
            WatchEvent event = events.get(i);
            @Nullable ApiObject object = event.object();
            if (object != null) {
                @Nullable WatchEvent later = next.put(object.key(), event);
                overtaken.set(i, later != null && overtakes(later, event));
            }
        }
        if (overtaken.isEmpty()) {
            return events;
        }
        List<WatchEvent> latest = new ArrayList<>(events.size() - overtaken.cardinality());
        for (int i = overtaken.nextClearBit(0); i < events.size(); i = overtaken.nextClearBit(i + 1)) {
            latest.add(events.get(i));
        }
        return latest;
    }

    private static boolean overtakes(WatchEvent later, WatchEvent event) {
        return event.type() == WatchEvent.Type.CHANGED
                && later.type() == WatchEvent.Type.CHANGED
                && event.requireObject()
                        .metadata()
                        .uid()
                        .equals(later.requireObject().metadata().uid());
    }
}
