package io.volume4j.spi.host;

import io.volume4j.spi.model.ObjectReference;

/**
 * Receives events for people. Implementations are thread-safe and must not block.
 *
 * @since 0.1.0
 */
public interface EventSink {
    void event(Event event);

    /** A sink that discards all events. */
    static EventSink none() {
        return event -> {};
    }

    /**
     * A message for the owner of an object.
     *
     * @param reason one word in the field's terms, such as {@code FailedMount}
     */
    record Event(Type type, String reason, ObjectReference object, String message) {
        /** Whether the event needs the attention of an operator. */
        public enum Type {
            NORMAL,
            WARNING
        }
    }
}
