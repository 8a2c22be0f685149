package io.volume4j.spi.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What happened to an object, for people, as {@code events.k8s.io} keeps it for about an hour.
 *
 * @since 0.1.0
 */
public record Event(
        ObjectMeta metadata,
        ObjectReference regarding,
        String type,
        String reason,
        String action,
        String note,
        @Nullable Instant eventTime,
        String reportingController,
        String reportingInstance,
        @Nullable Series series,
        Unmodeled unmodeled)
        implements ApiObject {
    public Event {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(regarding, "regarding");
        type = Copies.text(type);
        reason = Copies.text(reason);
        action = Copies.text(action);
        note = Copies.text(note);
        reportingController = Copies.text(reportingController);
        reportingInstance = Copies.text(reportingInstance);
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.EVENT;
    }

    /**
     * The same again and again.
     *
     * @param count how often, the first time included; at least 2
     * @param lastObservedTime when it happened last
     */
    public record Series(long count, Instant lastObservedTime) {
        public Series {
            Objects.requireNonNull(lastObservedTime, "lastObservedTime");
        }
    }
}
