package io.volume4j.core.control.host;

import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.model.ObjectKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Which events people were told about which objects, by topic. Loop thread only. */
public final class EventMemory {
    private final EventSink sink;
    private final LongSupplier ticker;

    /** Of the topic without a name, which is nearly always the only one. */
    private final Map<ObjectKey, LastEvents> told = new HashMap<>();

    private final Map<ObjectKey, Map<String, LastEvents>> apart = new HashMap<>();

    /** @param ticker loop time */
    EventMemory(EventSink sink, LongSupplier ticker) {
        this.sink = sink;
        this.ticker = ticker;
    }

    /**
     * What people were told about one of several things that there are to tell about an object.
     *
     * @param topic a planner's, {@code ""} for what the claim or volume itself is about
     */
    public LastEvents about(ObjectKey key, String topic) {
        // Most objects have had no event, and then the key need not even be hashed.
        if (topic.isEmpty()) {
            return (told.isEmpty() ? LastEvents.nothing() : told.getOrDefault(key, LastEvents.nothing()))
                    .at(ticker.getAsLong());
        }
        return (apart.isEmpty()
                        ? LastEvents.nothing()
                        : apart.getOrDefault(key, Map.of()).getOrDefault(topic, LastEvents.nothing()))
                .at(ticker.getAsLong());
    }

    /** Tells people. */
    void tell(ClusterWork.Tell step) {
        step.events().forEach(sink::event);
        LastEvents now = about(step.about(), step.topic()).with(step.events(), ticker.getAsLong());
        if (step.topic().isEmpty()) {
            told.put(step.about(), now);
        } else {
            apart.computeIfAbsent(step.about(), key -> new HashMap<>()).put(step.topic(), now);
        }
    }

    /** What was told without a topic is over: the same would be told anew. */
    public void over(ObjectKey key) {
        told.remove(key);
    }

    void forget(ObjectKey key) {
        told.remove(key);
        apart.remove(key);
    }
}
