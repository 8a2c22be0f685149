package io.volume4j.core.engine;

import io.volume4j.core.explain.Explanation;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Visits dirty keys: assembles the view, asks the planner, takes each step with all its conflict keys or not at all, makes
 * its intent durable, looks at the plan again, has the call run, and tells the world how it ended.
 *
 * <p>Everything here happens on the loop, {@link #dirty} included. Nothing is visited unless something changed, a timer is
 * due, or the paced resync comes by.
 *
 * @param <K> what is reconciled: a volume, a claim
 */
public final class Engine<K, V, S extends Step> {
    /** How an engine behaves. */
    public record Options(String name, String incarnation, Backoff backoff, int resyncPerSecond) {
        /**
         * Defaults for an engine.
         *
         * @param name for operation ids and messages
         * @param incarnation different for every start of the process, part of every operation id
         */
        public static Options of(String name, String incarnation) {
            return new Options(name, incarnation, Backoff.standard(), 100);
        }
    }

    /** Called on the loop for each step event. Must not block. */
    public interface Observer<K, S> {
        default void started(K key, S step, int attempt) {}

        default void ended(K key, S step, int attempt, Outcome outcome, Duration took) {}

        /**
         * A step failed; told after {@link #ended}.
         *
         * @param nextTry how long the step waits now, if nothing forgets its failures before
         */
        default void failed(K key, S step, int attempt, VolumeException failure, Duration nextTry) {}

        default void progress(K key, S step, String message) {}

        /** An internal step was done. */
        default void decided(K key, S step) {}

        /** A step that was started was withdrawn before its call was made. */
        default void withdrawn(K key, S step, int attempt, Duration took) {}

        /** The thread of a call that was written off came back at last. */
        default void returned(K key, S step) {}
    }

    private final EventLoop loop;
    private final World<K, V, S> world;
    private final Planner<V, S> planner;
    private final OperationExecutor executor;
    private final DirtyKeys<K> dirty;
    private final KeyStates<K, S> states;
    private final Operations<K, V, S> operations;
    private final Reasons<K, S> reasons;
    private final Resync<K> resync;

    public Engine(
            EventLoop loop,
            World<K, V, S> world,
            Planner<V, S> planner,
            IntentLog<K, S> intents,
            OperationExecutor executor,
            RandomGenerator random,
            Options options,
            Observer<K, S> observer) {
        this.loop = loop;
        this.world = world;
        this.planner = planner;
        this.executor = executor;
        this.dirty = new DirtyKeys<>(loop, this::visit);
        this.states = new KeyStates<>(loop, dirty);
        ConflictTable<K> conflicts = new ConflictTable<>();
        this.operations = new Operations<>(
                loop, world, this::plan, intents, executor, conflicts, dirty, states, random, options, observer);
        this.reasons = new Reasons<>(loop, executor, conflicts);
        this.resync = new Resync<>(loop, world::keys, dirty, options.resyncPerSecond());
    }

    /** Starts the slow resync. */
    public void start() {
        resync.schedule();
    }

    /** The key is to be looked at. */
    public void dirty(K key) {
        dirty.add(key);
    }

    /** Forgets the key's failures, so that whatever waits for another try is tried at once. */
    public void forgetFailures(K key) {
        states.forgetFailures(key);
    }

    /** The same for all keys: something came back that many may have waited for. */
    public void forgetAllFailures() {
        states.forgetAllFailures();
    }

    /** What would be done about the key now, ignoring what is under way or put off. */
    @SuppressWarnings("try") // the scope is the block
    public Plan<S> plan(K key) {
        try (Instrumentation.Scope decided = loop.instrumentation().plan(key)) {
            V view = world.view(key);
            return view == null ? Plan.nothing() : planner.plan(view);
        }
    }

    /** Why the key is as it is. */
    public Explanation explain(K key, String subject) {
        V view = world.view(key);
        Plan<S> plan = view == null ? Plan.nothing() : planner.plan(view);
        return reasons.of(subject, view != null, plan, states.get(key));
    }

    /** Whether nothing is dirty, under way or put off; what is only looked at from time to time does not count. */
    public boolean quiet() {
        return dirty.none() && states.atRest();
    }

    /**
     * One operation that was taken and has not ended, or whose thread has not returned.
     *
     * @param takenNanos by the loop's time
     * @param deadlineNanos by the loop's time, empty while the call has not begun
     */
    public record UnderWay<K, S>(
            K key,
            S step,
            String id,
            int attempt,
            long takenNanos,
            OptionalLong deadlineNanos,
            boolean writtenOff,
            String progress) {}

    /** Whether no key waits to be visited. */
    public boolean allVisited() {
        return dirty.none();
    }

    /** All such operations, by key in the order in which their keys became busy. */
    public List<UnderWay<K, S>> operations() {
        return states.operations(executor::deadlineNanos);
    }

    /** Operations that were taken and have not ended, or whose thread has not returned. */
    public int underWay() {
        return states.underWay();
    }

    /** Takes no more steps and cancels the calls that run. Returns those whose threads have not come back. */
    public List<String> close() {
        dirty.close();
        return executor.close();
    }

    private void visit(K key) {
        Plan<S> plan = plan(key);
        @Nullable KeyState<S> state = states.get(key);
        if (state != null) {
            operations.cancelUnwanted(state, plan);
            if (operations.withdrawUnwanted(key, state, plan)) {
                // The plan was made before that; the key is visited again.
                return;
            }
        } else if (plan.steps().isEmpty() && plan.waits().isEmpty()) {
            return;
        }
        for (S step : plan.steps()) {
            if (dirty.closed()) {
                return;
            }
            if (!step.internal()) {
                state = operations.tryTake(key, state, step);
            } else if (operations.decide(key, step)) {
                return;
            }
        }
        states.visited(key, state, plan);
    }
}
