package io.volume4j.core.codec;

import io.volume4j.spi.model.Event;
import io.volume4j.spi.model.Lease;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.Unmodeled;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code Event} of {@code events.k8s.io}. It has no {@code spec}: its fields are at the top level. */
final class EventShape {
    private EventShape() {}

    static Event read(ObjectMeta metadata, Fields document, Unmodeled unmodeled) {
        Fields regarding = document.object("regarding");
        @Nullable Fields series = document.optionalObject("series");
        return new Event(
                metadata,
                new ObjectReference(
                        regarding.text("apiVersion"),
                        regarding.text("kind"),
                        regarding.text("namespace"),
                        regarding.text("name"),
                        regarding.text("uid"),
                        regarding.text("resourceVersion")),
                document.text("type"),
                document.text("reason"),
                document.text("action"),
                document.text("note"),
                document.instant("eventTime"),
                document.text("reportingController"),
                document.text("reportingInstance"),
                series == null ? null : series(series),
                unmodeled);
    }

    private static Event.Series series(Fields series) {
        @Nullable Long count = series.number("count");
        @Nullable Instant last = series.instant("lastObservedTime");
        return new Event.Series(count == null ? 0 : count, last == null ? Instant.EPOCH : last);
    }

    static Written write(Event event) {
        ObjectReference regarding = event.regarding();
        Event.Series series = event.series();
        return Written.part()
                .object(
                        "regarding",
                        Written.part()
                                .text("apiVersion", regarding.apiVersion())
                                .text("kind", regarding.kind())
                                .text("namespace", regarding.namespace())
                                .text("name", regarding.name())
                                .text("uid", regarding.uid())
                                .text("resourceVersion", regarding.resourceVersion()))
                .text("type", event.type())
                .text("reason", event.reason())
                .text("action", event.action())
                .text("note", event.note())
                .text("eventTime", event.eventTime() == null ? null : Lease.timeText(event.eventTime()))
                .text("reportingController", event.reportingController())
                .text("reportingInstance", event.reportingInstance())
                .object(
                        "series",
                        series == null
                                ? null
                                : Written.part()
                                        .number("count", series.count())
                                        .text("lastObservedTime", Lease.timeText(series.lastObservedTime())));
    }
}
