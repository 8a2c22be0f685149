package io.volume4j.core.control.host;

import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.model.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** The events that were sent about objects, by topic. Loop thread only. */
public final class EventMemory {
    private final EventSink sink;
    private final LongSupplier ticker;

    /** For the topic without a name, which is nearly always the only one. */
    private final Map<ObjectKey, LastEvents> told = new HashMap<>();

    private final Map<ObjectKey, Map<String, LastEvents>> apart = new HashMap<>();

    /** @param ticker loop time */
    EventMemory(EventSink sink, LongSupplier ticker) {
        this.sink = sink;
        this.ticker = ticker;
    }

    /**
     * The events about one of several topics of an object.
     *
     * @param topic of a planner, {@code ""} for the main topic of the claim or volume
     */
    public LastEvents about(ObjectKey key, String topic) {
        // Most objects have had no event. Then the key need not be hashed.
        if (topic.isEmpty()) {
            return (told.isEmpty() ? LastEvents.nothing() : told.getOrDefault(key, LastEvents.nothing()))
                    .at(ticker.getAsLong());
        }
        return (apart.isEmpty()
                        ? LastEvents.nothing()
                        : apart.getOrDefault(key, Map.of()).getOrDefault(topic, LastEvents.nothing()))
                .at(ticker.getAsLong());
    }

    /** Sends the events. */
    void tell(ClusterWork.Tell step) {
        step.events().forEach(sink::event);
        LastEvents now = about(step.about(), step.topic()).with(step.events(), ticker.getAsLong());
        if (step.topic().isEmpty()) {
            told.put(step.about(), now);
        } else {
            apart.computeIfAbsent(step.about(), key -> new HashMap<>()).put(step.topic(), now);
        }
    }

    /** Forgets the events without a topic, so that the same event is sent again. */
    public void over(ObjectKey key) {
        told.remove(key);
    }

    void forget(ObjectKey key) {
        told.remove(key);
        apart.remove(key);
    }
}
