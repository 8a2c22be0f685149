package io.volume4j.core.engine;

import io.volume4j.core.explain.Explanation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains the state of a key. Changes nothing. Loop thread only. */
final class Reasons<K, S extends Step> {
    private final EventLoop loop;
    private final OperationExecutor executor;
    private final ConflictTable<K> conflicts;

    Reasons(EventLoop loop, OperationExecutor executor, ConflictTable<K> conflicts) {
        this.loop = loop;
        this.executor = executor;
        this.conflicts = conflicts;
    }

    /**
     * Explains a key.
     *
     * @param subject the name of the key, for users
     * @param known whether the world knows it
     * @param state the engine's state of it, null for none
     */
    Explanation of(K key, String subject, boolean known, Plan<S> plan, @Nullable KeyState<S> state) {
        List<Explanation.StepState> steps = new ArrayList<>();
        List<String> waits = new ArrayList<>();
        if (state != null) {
            state.underWay.forEach(operation -> steps.add(underWay(key, operation, state)));
        }
        for (S step : plan.steps()) {
            if (state == null || !state.isUnderWay(step)) {
                steps.add(idle(step, state));
            }
        }
        plan.waits().forEach(wait -> waits.add(wait.why()));
        return new Explanation(subject, known || state != null, steps, waits);
    }

    private Explanation.StepState underWay(K key, Operation<S> operation, KeyState<S> state) {
        Trouble trouble = state.trouble(operation.step);
        String queued = operation.dispatched ? executor.waitsFor(key, operation.id) : "";
        Explanation.StepState.Phase phase = !operation.dispatched
                ? Explanation.StepState.Phase.RECORDING_INTENT
                : queued.isEmpty() ? Explanation.StepState.Phase.RUNNING : Explanation.StepState.Phase.QUEUED;
        String running = operation.ended ? "written off, its thread has not returned" : operation.progress;
        return new Explanation.StepState(
                operation.step.describe(),
                operation.step.kind().name(),
                phase,
                queued.isEmpty() ? running : queued,
                trouble == null ? 0 : trouble.failures(),
                trouble == null ? "" : trouble.text(),
                Duration.ZERO);
    }

    private Explanation.StepState idle(S step, @Nullable KeyState<S> state) {
        Trouble trouble = state == null ? null : state.trouble(step);
        ConflictKey busy = conflicts.firstBusy(step.conflictKeys()).orElse(null);
        long left = trouble == null ? 0 : trouble.notBefore() - loop.nanoTime();
        Explanation.StepState.Phase phase = left > 0
                ? Explanation.StepState.Phase.BACKING_OFF
                : busy != null ? Explanation.StepState.Phase.BLOCKED : Explanation.StepState.Phase.READY;
        return new Explanation.StepState(
                step.describe(),
                step.kind().name(),
                phase,
                busy == null ? "" : "another operation uses " + busy.first(),
                trouble == null ? 0 : trouble.failures(),
                trouble == null ? "" : trouble.text(),
                Duration.ofNanos(Math.max(0, left)));
    }
}
