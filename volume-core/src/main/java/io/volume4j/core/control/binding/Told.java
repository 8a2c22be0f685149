package io.volume4j.core.control.binding;

import io.volume4j.spi.host.EventSink.Event;
import java.util.List;

/**
 * What people were last told about an object, so that they are told again when the reason or the message changes, and only
 * then.
 */
public record Told(List<Event> events) {
    private static final Told NOTHING = new Told(List.of());

    public static Told nothing() {
        return NOTHING;
    }

    boolean covers(List<Event> wanted) {
        return events.equals(wanted);
    }
}
