package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Executes steps. It takes a step with all its conflict keys or not at all, makes its intent durable, and runs its
 * call. It reports the outcome to the world, and releases the keys when the call's thread has returned. Loop thread
 * only.
 */
final class Operations<K, V, S extends Step> {
    private final EventLoop loop;
    private final World<K, V, S> world;
    private final Function<K, Plan<S>> plans;
    private final IntentLog<K, S> intents;
    private final OperationExecutor executor;
    private final ConflictTable<K> conflicts;
    private final DirtyKeys<K> dirty;
    private final KeyStates<K, S> states;
    private final RandomGenerator random;
    private final Engine.Options options;
    private final Engine.Observer<K, S> observer;
    private final Intake<K> intake = new Intake<>();
    private long taken;

    /** @param plans the present plan of a key */
    Operations(
            EventLoop loop,
            World<K, V, S> world,
            Function<K, Plan<S>> plans,
            IntentLog<K, S> intents,
            OperationExecutor executor,
            ConflictTable<K> conflicts,
            DirtyKeys<K> dirty,
            KeyStates<K, S> states,
            RandomGenerator random,
            Engine.Options options,
            Engine.Observer<K, S> observer) {
        this.loop = loop;
        this.world = world;
        this.plans = plans;
        this.intents = intents;
        this.executor = executor;
        this.conflicts = conflicts;
        this.dirty = dirty;
        this.states = states;
        this.random = random;
        this.options = options;
        this.observer = observer;
    }

    void cancelUnwanted(K key, KeyState<S> state, Plan<S> plan) {
        for (Operation<S> operation : state.underWay) {
            if (operation.dispatched
                    && !operation.ended
                    && operation.step.cancelledWhenUnwanted()
                    && !plan.steps().contains(operation.step)) {
                executor.cancel(key, operation.id);
            }
        }
    }

    /**
     * Drops an unwanted waiting call. Otherwise it would wait for others, which may hang, and its effect would only be
     * undone.
     */
    boolean withdrawUnwanted(K key, KeyState<S> state, Plan<S> plan) {
        Operation<S> unwanted = null;
        for (Operation<S> operation : state.underWay) {
            if (operation.dispatched
                    && !operation.ended
                    && operation.step.withdrawnWhenUnwanted()
                    && !plan.steps().contains(operation.step)
                    && executor.withdraw(key, operation.id)) {
                unwanted = operation;
                break;
            }
        }
        if (unwanted == null) {
            return false;
        }
        unwanted.ended = true;
        unwanted.observed.ended(
                VolumeException.transientFailure("withdrawn before it was begun: it is no longer wanted"));
        try {
            world.abandoned(key, unwanted.step);
            observer.withdrawn(
                    key, unwanted.step, unwanted.attempt, Duration.ofNanos(loop.nanoTime() - unwanted.takenAt));
        } finally {
            release(key, unwanted);
        }
        return true;
    }

    /** Does an internal step if its conflict keys are free. Returns whether it did. */
    boolean decide(K key, S step) {
        if (!free(key, step.conflictKeys())) {
            return false;
        }
        world.completed(key, step, Outcome.success(null));
        observer.decided(key, step);
        dirty.add(key);
        return true;
    }

    /** Takes the step if possible. Returns the state of the key. */
    @Nullable
    KeyState<S> tryTake(K key, @Nullable KeyState<S> state, S step) {
        if (state != null && (state.isUnderWay(step) || state.putOff(step, loop.nanoTime()))) {
            return state;
        }
        List<ConflictKey> keys = step.conflictKeys();
        if (!free(key, keys)) {
            return state;
        }
        if (!intake.take(world.intakeGroup(key), key)) {
            return state;
        }
        KeyState<S> current = state != null ? state : states.begin(key);
        Operation<S> operation = new Operation<>(
                current,
                options.name() + "-" + options.incarnation() + "-" + ++taken,
                step,
                keys,
                1 + current.failures(step),
                loop.nanoTime());
        conflicts.take(keys, operation.id);
        current.underWay.add(operation);
        try {
            world.taken(key, step);
            if (step.needsIntent()) {
                intents.record(operation.id, key, step, failure -> intentRecorded(key, operation, failure));
            } else {
                dispatch(key, operation);
            }
        } catch (VolumeException refusal) {
            notBegun(key, operation, refusal);
        } catch (Throwable bug) {
            notBegun(key, operation, unexpected(operation, bug));
            throw bug;
        }
        return current;
    }

    /**
     * Ends an operation that failed before its call. The world calls plugins and hosts before, and their answers may
     * be invalid. The operation had no effect, and no other code would end it and release its keys.
     */
    private void notBegun(K key, Operation<S> operation, VolumeException failure) {
        if (!operation.ended) {
            try {
                end(key, operation, Outcome.failure(failure));
            } finally {
                release(key, operation);
            }
        }
    }

    private VolumeException unexpected(Operation<S> operation, Throwable bug) {
        return VolumeException.transientFailure("could not begin to " + operation.step.describe() + ": " + bug)
                .withCause(bug);
    }

    /** The key was visited, and all possible steps were taken. */
    void visited(K key) {
        intake.visited(key).forEach(dirty::add);
    }

    /** Whether all conflict keys are free. If not, the key is visited again when that changes. */
    private boolean free(K key, List<ConflictKey> keys) {
        ConflictKey busy = conflicts.firstBusy(keys).orElse(null);
        if (busy != null) {
            conflicts.await(busy, key);
        }
        return busy == null;
    }

    /**
     * Continues after the intent was recorded. The state may have changed meanwhile, so the step runs only if it is
     * still wanted.
     */
    private void intentRecorded(K key, Operation<S> operation, @Nullable VolumeException failure) {
        if (dirty.closed()) {
            return;
        }
        if (failure != null) {
            end(key, operation, Outcome.failure(failure));
            release(key, operation);
            return;
        }
        try {
            if (plans.apply(key).steps().contains(operation.step)) {
                dispatch(key, operation);
            } else {
                world.abandoned(key, operation.step);
                release(key, operation);
            }
        } catch (VolumeException refusal) {
            notBegun(key, operation, refusal);
        } catch (Throwable bug) {
            notBegun(key, operation, unexpected(operation, bug));
            throw bug;
        }
    }

    private void dispatch(K key, Operation<S> operation) {
        operation.dispatched = true;
        observer.started(key, operation.step, operation.attempt);
        operation.observed = loop.instrumentation()
                .step(new Instrumentation.StepStart(
                        operation.id,
                        operation.step.kind().name(),
                        operation.attempt,
                        key,
                        () -> world.story(key),
                        operation.step::describe));
        executor.submit(
                key,
                operation.id,
                operation.attempt,
                world.call(key, operation.step),
                operation.observed,
                message -> {
                    operation.progress = message;
                    observer.progress(key, operation.step, message);
                },
                new OperationExecutor.Reports() {
                    @Override
                    public void ended(Outcome outcome) {
                        if (!dirty.closed()) {
                            end(key, operation, outcome);
                        }
                    }

                    @Override
                    public void returned() {
                        if (operation.writtenOff) {
                            observer.returned(key, operation.step);
                        }
                        release(key, operation);
                    }
                });
    }

    /** The engine was closed: the outcomes of the calls under way do not come any more. */
    void closed() {
        VolumeException closed = VolumeException.uncertain(
                "the node or controller was closed, or leads no more; the call may still be running");
        states.underWay(operation -> {
            if (operation.dispatched && !operation.ended) {
                operation.observed.ended(closed);
            }
        });
    }

    private void end(K key, Operation<S> operation, Outcome outcome) {
        operation.ended = true;
        operation.writtenOff = outcome.writtenOff();
        operation.observed.ended(outcome.failure());
        leave(key, operation);
        KeyState<S> state = operation.state;
        Duration delay = Duration.ZERO;
        if (outcome.succeeded()) {
            if (operation.step.progress()) {
                state.forgetTroubles();
            }
        } else {
            VolumeException failure = outcome.requireFailure();
            int failures = 1 + state.failures(operation.step);
            delay = options.backoff().delay(failures, failure.kind(), random);
            state.trouble(operation.step, new Trouble(failures, failure, loop.nanoTime() + delay.toNanos()));
        }
        world.completed(key, operation.step, outcome);
        observer.ended(
                key, operation.step, operation.attempt, outcome, Duration.ofNanos(loop.nanoTime() - operation.takenAt));
        if (!outcome.succeeded()) {
            observer.failed(key, operation.step, operation.attempt, outcome.requireFailure(), delay);
        }
        dirty.add(key);
    }

    /** Releases the place of an operation. A written-off one costs little memory, and may never return. */
    private void leave(K key, Operation<S> operation) {
        if (operation.hasPlace) {
            operation.hasPlace = false;
            intake.left(world.intakeGroup(key)).forEach(dirty::add);
        }
    }

    private void release(K key, Operation<S> operation) {
        leave(key, operation);
        operation.state.underWay.remove(operation);
        dirty.add(key);
        conflicts.release(operation.keys).forEach(dirty::add);
    }
}
