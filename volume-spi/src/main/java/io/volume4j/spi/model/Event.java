package io.volume4j.spi.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A report for people about an object, in the form of {@code events.k8s.io}. Clusters usually keep events for about
 * an hour.
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
     * A series of equal events.
     * @param count how often the event happened, including the first time; at least 2
     * @param lastObservedTime when it last happened
     */
    public record Series(long count, Instant lastObservedTime) {
        public Series {
            Objects.requireNonNull(lastObservedTime, "lastObservedTime");
        }
    }

    /** A builder for an event about that object, without any text yet. */
    public static Builder builder(ObjectMeta metadata, ObjectReference regarding) {
        return new Builder(metadata, regarding);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(metadata, regarding);
        builder.type = type;
        builder.reason = reason;
        builder.action = action;
        builder.note = note;
        builder.eventTime = eventTime;
        builder.reportingController = reportingController;
        builder.reportingInstance = reportingInstance;
        builder.series = series;
        builder.unmodeled = unmodeled;
        return builder;
    }

    /** Builds a {@link Event}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private ObjectMeta metadata;
        private ObjectReference regarding;
        private String type = "";
        private String reason = "";
        private String action = "";
        private String note = "";
        private @Nullable Instant eventTime;
        private String reportingController = "";
        private String reportingInstance = "";
        private @Nullable Series series;
        private Unmodeled unmodeled = Unmodeled.none();

        private Builder(ObjectMeta metadata, ObjectReference regarding) {
            this.metadata = metadata;
            this.regarding = regarding;
        }

        public Builder metadata(ObjectMeta value) {
            metadata = value;
            return this;
        }

        public Builder regarding(ObjectReference value) {
            regarding = value;
            return this;
        }

        public Builder type(String value) {
            type = value;
            return this;
        }

        public Builder reason(String value) {
            reason = value;
            return this;
        }

        public Builder action(String value) {
            action = value;
            return this;
        }

        public Builder note(String value) {
            note = value;
            return this;
        }

        public Builder eventTime(@Nullable Instant value) {
            eventTime = value;
            return this;
        }

        public Builder reportingController(String value) {
            reportingController = value;
            return this;
        }

        public Builder reportingInstance(String value) {
            reportingInstance = value;
            return this;
        }

        public Builder series(@Nullable Series value) {
            series = value;
            return this;
        }

        public Builder unmodeled(Unmodeled value) {
            unmodeled = value;
            return this;
        }

        public Event build() {
            return new Event(
                    metadata,
                    regarding,
                    type,
                    reason,
                    action,
                    note,
                    eventTime,
                    reportingController,
                    reportingInstance,
                    series,
                    unmodeled);
        }
    }
}
