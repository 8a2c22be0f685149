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
 * What a watch brought and the loop has not taken yet. What arrives while the loop does other things is taken over in one go,
 * and of several states of one object only the latest: no caller may rely on seeing all of them. Thread-safe.
 */
final class WatchInbox {
    private final int most;
    private final Object lock = new Object();
    /** As the next, guarded by the lock. Anew when it is empty after many: it would keep their room. */
    private ArrayDeque<WatchEvent> arrived = new ArrayDeque<>();

    private boolean flooded;

    /**
     * What is taken at once.
     *
     * @param events in the order in which they came, without those whose object's next one tells of a later state
     * @param more whether others wait, so that the reader must come again
     */
    record Portion(List<WatchEvent> events, boolean more) {}

    /** @param most events that are taken at once */
    WatchInbox(int most) {
        this.most = most;
    }

    /** Whether nothing waited before, so that the reader must come to take it. */
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

    /** Without those that the object's next event overtakes; creation and deletion are always told. */
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
