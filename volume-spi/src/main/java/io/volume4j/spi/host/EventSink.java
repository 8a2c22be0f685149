package io.volume4j.spi.host;

import io.volume4j.spi.model.ObjectReference;

/**
 * Where events for people go. Thread-safe; must not block.
 *
 * @since 0.1.0
 */
public interface EventSink {
    void event(Event event);

    /** Keeps nothing. */
    static EventSink none() {
        return event -> {};
    }

    /**
     * Something that the owner of an object should know.
     *
     * @param reason one word in the field's terms, such as {@code FailedMount}
     */
    record Event(Type type, String reason, ObjectReference object, String message) {
        /** Whether an operator should look. */
        public enum Type {
            NORMAL,
            WARNING
        }
    }
}
