package io.volume4j.inmemory.host;

import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;

/**
 * Records all events, in order. Thread-safe. Keeps them until {@link #clear()}.
 *
 * @since 0.1.0
 */
public final class RecordingEvents implements EventSink {
    private final List<Event> events = new ArrayList<>();

    /** A sink without events. */
    public RecordingEvents() {}

    @Override
    public synchronized void event(Event event) {
        events.add(event);
    }

    public synchronized List<Event> all() {
        return List.copyOf(events);
    }

    /** The events about the object, compared by kind, namespace and name. */
    public List<Event> about(ObjectKey key) {
        return all().stream()
                .filter(event -> event.object().kind().equals(key.kind().apiName())
                        && event.object().namespace().equals(key.namespace())
                        && event.object().name().equals(key.name()))
                .toList();
    }

    /** The events with the reason, such as {@code FailedMount}. */
    public List<Event> withReason(String reason) {
        return all().stream().filter(event -> event.reason().equals(reason)).toList();
    }

    public List<Event> warnings() {
        return all().stream()
                .filter(event -> event.type() == Event.Type.WARNING)
                .toList();
    }

    /** Removes all recorded events. */
    public synchronized void clear() {
        events.clear();
    }
}
