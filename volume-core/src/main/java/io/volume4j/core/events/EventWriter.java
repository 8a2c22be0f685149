package io.volume4j.core.events;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.report.ServerText;
import io.volume4j.core.request.TimedRequests;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import io.volume4j.spi.host.ClusterWriter;
import io.volume4j.spi.host.EventSink;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.host.Preconditions;
import io.volume4j.spi.model.Event;
import io.volume4j.spi.model.Lease;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.Unmodeled;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events to the cluster, one request after another. Events are for users, so it drops an event after three failed
 * tries, and accepts that a late write shows an older count. Its state belongs to the loop. Any thread may call
 * {@link #event}, which never waits.
 */
final class EventWriter {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

    /** The maximum number of events that wait for the loop; more are dropped. */
    static final int WAITING = 1000;

    private static final int TRIES = 3;
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int INSTANCE_BYTES = 128;
    private static final int NAME_CHARACTERS = 200;
    private static final Pattern ENDINGS = Pattern.compile("[-.]+$");
    private static final String DEFAULT_NAMESPACE = "default";

    private final String controller;
    private final String instance;
    private final ClusterWriter writer;
    private final EventLoop loop;
    private final TimedRequests requests;
    private final RandomGenerator random;
    private final AtomicInteger waiting = new AtomicInteger();
    /** The series whose count the store does not have. No more than {@link EventSeries} stores. */
    private final Set<EventSeries.Series> dirty = new LinkedHashSet<>();

    private final EventSeries events = new EventSeries(dirty::remove);
    private EventLoop.Timer timer = () -> {};
    private boolean writing;
    private boolean failing;
    private @Nullable CompletableFuture<Void> closed;

    EventWriter(
            String controller,
            String instance,
            ClusterWriter writer,
            EventLoop loop,
            Executor workers,
            RandomGenerator random) {
        this.controller = controller;
        this.instance = ServerText.cut(instance, INSTANCE_BYTES);
        this.writer = writer;
        this.loop = loop;
        this.requests = new TimedRequests(loop, workers, TIMEOUT);
        this.random = random;
    }

    void event(EventSink.Event event) {
        if (waiting.incrementAndGet() > WAITING) {
            waiting.decrementAndGet();
            return;
        }
        loop.execute(() -> {
            waiting.decrementAndGet();
            EventSeries.@Nullable Series heard = events.heard(event, loop.nanoTime(), loop.now());
            if (heard != null && closed == null) {
                dirty.add(heard);
                next();
            }
        });
    }

    /** Accepts no more events. Completes when all waiting events were written or dropped. Idempotent. */
    CompletableFuture<Void> close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            if (closed == null) {
                closed = done;
                next();
            } else {
                var unused = closed.thenRun(() -> done.complete(null));
            }
        });
        return done;
    }

    private void next() {
        if (writing) {
            return;
        }
        EventSeries.@Nullable Series due = null;
        long soonest = Long.MAX_VALUE;
        for (EventSeries.Series each : dirty) {
            Long at = each.dueAt();
            if (at != null && (closed != null || at - loop.nanoTime() <= 0)) {
                due = each;
                break;
            }
            soonest = at == null ? soonest : Math.min(soonest, at - loop.nanoTime());
        }
        if (due != null) {
            write(due, 1);
        } else if (closed != null) {
            closed.complete(null);
        } else if (soonest != Long.MAX_VALUE) {
            timer.cancel();
            timer = loop.schedule(Duration.ofNanos(soonest), this::next);
        }
    }

    private void write(EventSeries.Series series, int attempt) {
        writing = true;
        long count = series.count;
        boolean fresh = !series.stored;
        if (series.name.isEmpty()) {
            series.name = name(series.event.object());
        }
        Event object = object(series);
        requests.send(
                () -> fresh ? writer.create(object) : writer.patch(object.key(), patch(object)),
                (stored, failure) -> written(series, object, count, attempt, failure));
    }

    private void written(
            EventSeries.Series series, Event object, long count, int attempt, @Nullable Throwable failure) {
        writing = false;
        Reason reason = failure instanceof ClusterException refused ? refused.reason() : Reason.UNAVAILABLE;
        if (failure == null || reason == Reason.ALREADY_EXISTS) {
            failing = false;
            series.stored = true;
            // An earlier try stored it, and maybe a smaller count.
            done(series, failure == null ? count : 1);
        } else if (reason == Reason.UNAVAILABLE && attempt < TRIES && closed == null) {
            writing = true;
            loop.schedule(PAUSE.multipliedBy(attempt), () -> write(series, attempt + 1));
        } else {
            if (!failing && reason != Reason.NOT_FOUND) {
                failing = true;
                LOG.atWarn()
                        .addKeyValue("object", object.regarding().name())
                        .addKeyValue("reason", object.reason())
                        .addKeyValue("error", failure.toString())
                        .addKeyValue("advice", advice(reason))
                        .log("an event could not be written and is dropped");
            }
            events.forget(series);
            done(series, series.count);
        }
    }

    /** What a user can do. Servers forbid new objects in a namespace that is being deleted. */
    static String advice(Reason reason) {
        return switch (reason) {
            case FORBIDDEN ->
                "allow create and patch of events of events.k8s.io; nothing is wrong if the namespace is being deleted";
            case INVALID -> "report it with this error: the cluster does not accept the event as the library writes it";
            case CONFLICT, NOT_FOUND, ALREADY_EXISTS, UNAVAILABLE -> "look whether the cluster can be reached";
        };
    }

    private void done(EventSeries.Series series, long count) {
        series.written(count, loop.nanoTime());
        if (series.dueAt() == null) {
            dirty.remove(series);
        }
        next();
    }

    private Event object(EventSeries.Series series) {
        EventSink.Event event = series.event;
        ObjectReference object = event.object();
        return new Event(
                ObjectMeta.named(object.namespace().isEmpty() ? DEFAULT_NAMESPACE : object.namespace(), series.name),
                object,
                event.type() == EventSink.Event.Type.WARNING ? "Warning" : "Normal",
                event.reason(),
                "Reconciling",
                ServerText.message(event.message()),
                series.first,
                controller,
                instance,
                series.count < 2 ? null : new Event.Series(series.count, series.last),
                Unmodeled.none());
    }

    private static Patch patch(Event object) {
        Event.Series series = object.series();
        if (series == null) {
            throw new IllegalStateException("the first event of a series is created");
        }
        // Field by field: to replace a map, an adapter would have to read the event first, and there may be many
        // events.
        return new Patch(
                Preconditions.none(),
                false,
                List.of(
                        FieldChange.set(series.count(), "series", "count"),
                        FieldChange.set(Lease.timeText(series.lastObservedTime()), "series", "lastObservedTime")));
    }

    private String name(ObjectReference object) {
        String name = object.name();
        // A part of a name between dots ends with a letter or digit.
        String kept = name.length() > NAME_CHARACTERS
                ? ENDINGS.matcher(name.substring(0, NAME_CHARACTERS)).replaceFirst("")
                : name;
        return kept + "." + Long.toHexString(random.nextLong());
    }
}
