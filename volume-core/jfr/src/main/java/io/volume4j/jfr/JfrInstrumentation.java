package io.volume4j.jfr;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Records steps, calls, decisions and journal syncs with JDK Flight Recorder. The events are
 * {@code io.volume4j.Step}, {@code io.volume4j.Call}, {@code io.volume4j.Plan} and {@code io.volume4j.JournalSync}.
 * They are off by default, and then cost the check of one flag. A recording must enable them:
 *
 * <pre>{@code
 * VolumeManager.builder().instrumentation(new JfrInstrumentation())…
 * java -XX:StartFlightRecording:io.volume4j.Step#enabled=true,io.volume4j.Call#enabled=true …
 * }</pre>
 *
 * <p>Events contain no secrets. Thread-safe.
 *
 * @since 0.1.0
 */
public final class JfrInstrumentation implements Instrumentation {
    /** One instance can serve any number of nodes and controllers. */
    public JfrInstrumentation() {}

    @Override
    public Step step(StepStart start) {
        StepEvent event = new StepEvent();
        if (!event.isEnabled() && !new CallEvent().isEnabled()) {
            return Step.none();
        }
        event.operation = start.operation();
        event.kind = start.kind();
        event.key = start.key().toString();
        event.story = start.story().get();
        event.attempt = start.attempt();
        event.begin();
        return new Recorded(event);
    }

    @Override
    public Scope plan(Object key) {
        PlanEvent event = new PlanEvent();
        if (!event.isEnabled()) {
            return Scope.none();
        }
        event.key = key.toString();
        event.begin();
        return event::commit;
    }

    @Override
    public Scope journalSync() {
        JournalSyncEvent event = new JournalSyncEvent();
        if (!event.isEnabled()) {
            return Scope.none();
        }
        event.begin();
        return event::commit;
    }

    /** @param event ends on the loop, which may run on another thread then */
    private record Recorded(StepEvent event) implements Step {
        @Override
        public Scope call() {
            CallEvent call = new CallEvent();
            if (!call.isEnabled()) {
                return Scope.none();
            }
            call.operation = event.operation;
            call.kind = event.kind;
            call.key = event.key;
            call.begin();
            return call::commit;
        }

        @Override
        public void ended(@Nullable VolumeException failure) {
            event.failure = failure == null ? null : failure.getMessage();
            event.commit();
        }
    }
}
