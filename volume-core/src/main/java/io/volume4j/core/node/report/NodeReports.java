package io.volume4j.core.node.report;

import io.volume4j.core.engine.Engine;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.steplog.StepLog;
import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.core.volumes.TimelineEntry.Moment;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Forwards all step events to the host's listeners, the timelines, the metrics and the events. Loop thread only,
 * except for {@link #add} and {@link #remove}, which post to the loop.
 */
public final class NodeReports implements Engine.Observer<VolumeId, NodeStep> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeReports.class);

    private final EventLoop loop;
    private final NodeMetrics metrics;
    private final NodeEvents events;
    private final LongOwnershipChanges walks;
    private final NodeQueries queries;
    private final StepLog<VolumeId, NodeStep> log;
    private final Timelines timelines = new Timelines();
    private final List<Consumer<VolumeTransition>> listeners;

    private static LoggingEventBuilder named(LoggingEventBuilder line, VolumeId id, NodeStep step) {
        LoggingEventBuilder named = line.addKeyValue("volume", id);
        return step.podUid().isEmpty() ? named : named.addKeyValue("pod", step.podUid());
    }

    public NodeReports(
            EventLoop loop,
            NodeMetrics metrics,
            NodeEvents events,
            NodeQueries queries,
            List<Consumer<VolumeTransition>> listeners) {
        this.loop = loop;
        this.metrics = metrics;
        this.events = events;
        this.queries = queries;
        this.listeners = new ArrayList<>(listeners);
        this.log = new StepLog<>(LOG, loop, NodeReports::named);
        this.walks = new LongOwnershipChanges(loop, events);
    }

    public void add(Consumer<VolumeTransition> listener) {
        loop.execute(() -> listeners.add(listener));
    }

    public void remove(Consumer<VolumeTransition> listener) {
        loop.execute(() -> listeners.remove(listener));
    }

    public Timelines timelines() {
        return timelines;
    }

    public NodeEvents events() {
        return events;
    }

    /** The pod can use the volume. */
    public void ready(VolumeId id, String podUid) {
        metrics.ready(id, podUid, queries.migrated(id));
    }

    public NodeMetrics metrics() {
        return metrics;
    }

    @Override
    public void started(VolumeId id, NodeStep step, int attempt) {
        log.started(id, step, attempt);
        tell(new StepMoment(loop.now(), id, step, attempt, false, Duration.ZERO, null));
        if (step.kind() == NodeStep.Kind.APPLY_FS_GROUP) {
            walks.started(step);
            if (attempt == 1) {
                events.owning(id, step.podUid());
            }
        }
    }

    @Override
    public void ended(VolumeId id, NodeStep step, int attempt, Outcome outcome, Duration took) {
        if (step.kind() == NodeStep.Kind.APPLY_FS_GROUP) {
            walks.ended(step);
        }
        if (outcome.succeeded()) {
            log.succeeded(id, step, attempt, took);
        }
        metrics.ended(id, step, queries, outcome, took);
        tell(new StepMoment(loop.now(), id, step, attempt, true, took, outcome.failure()));
        if (events.tells(id, step, outcome)) {
            // Runs later, so that the explanation shows the state after this outcome.
            loop.execute(() -> events.ended(id, step, attempt, outcome));
        }
    }

    @Override
    public void failed(VolumeId id, NodeStep step, int attempt, VolumeException failure, Duration nextTry) {
        log.failed(id, step, attempt, failure, nextTry);
    }

    /** Not a failure of the plugin, so it is neither counted nor reported as one. */
    @Override
    public void withdrawn(VolumeId id, NodeStep step, int attempt, Duration took) {
        log.withdrawn(id, step, attempt, took);
        tell(new StepMoment(
                loop.now(),
                id,
                step,
                attempt,
                true,
                took,
                VolumeException.transientFailure("withdrawn before it was begun: it is no longer wanted")));
    }

    @Override
    public void progress(VolumeId id, NodeStep step, String message) {
        walks.progress(step, message);
    }

    @Override
    public void decided(VolumeId id, NodeStep step) {
        log.decided(id, step);
        tell(new StepMoment(loop.now(), id, step, 1, true, Duration.ZERO, null));
    }

    @Override
    public void returned(VolumeId id, NodeStep step) {
        metrics.returned(id);
    }

    /** Reports an event within a step. */
    public void tell(VolumeTransition transition) {
        TimelineEntry entry = entry(loop.now(), transition);
        timelines.add(transition.volume(), () -> entry);
        tellListeners(transition);
    }

    private void tell(StepMoment moment) {
        timelines.add(moment.id, moment.kept());
        if (!listeners.isEmpty()) {
            tellListeners(moment.transition());
        }
    }

    /** A listener that fails does not affect the other listeners. */
    private void tellListeners(VolumeTransition transition) {
        for (Consumer<VolumeTransition> listener : listeners) {
            try {
                listener.accept(transition);
            } catch (Throwable failed) {
                LOG.atWarn()
                        .addKeyValue("volume", transition.volume())
                        .addKeyValue("action", transition.action())
                        .addKeyValue("reason", failed.toString())
                        .log("listener failed");
            }
        }
    }

    private static TimelineEntry entry(Instant at, VolumeTransition transition) {
        VolumeException failure = transition.failure();
        Moment moment = !transition.ended() ? Moment.BEGAN : failure == null ? Moment.SUCCEEDED : Moment.FAILED;
        return new TimelineEntry(
                at,
                transition.action(),
                moment,
                transition.podUid(),
                transition.description(),
                transition.attempt(),
                transition.took(),
                failure == null ? "" : failure.getMessage());
    }

    /** An event of a step. Formatted only for a caller. */
    private record StepMoment(
            Instant at,
            VolumeId id,
            NodeStep step,
            int attempt,
            boolean ended,
            Duration took,
            @Nullable VolumeException failure)
            implements Supplier<TimelineEntry> {
        /** Formats a failure at once. Otherwise the timeline would keep its stack trace in memory. */
        Supplier<TimelineEntry> kept() {
            if (failure == null) {
                return this;
            }
            TimelineEntry entry = get();
            return () -> entry;
        }

        @Override
        public TimelineEntry get() {
            return entry(at, transition());
        }

        VolumeTransition transition() {
            return new VolumeTransition(
                    VolumeTransition.Action.valueOf(step.kind().name()),
                    id,
                    step.podUid(),
                    step.describe(),
                    attempt,
                    ended,
                    took,
                    failure);
        }
    }
}
