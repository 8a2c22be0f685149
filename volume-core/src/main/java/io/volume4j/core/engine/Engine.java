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
 * The reconciler. It visits dirty keys: it assembles the view and asks the planner. It takes a step only if all its
 * conflict keys are free. Then it makes the intent durable, checks the plan again, lets the executor run the call,
 * and reports the outcome to the world.
 *
 * <p>All methods run on the event loop, also {@link #dirty}. The engine visits a key only if it changed, if a timer
 * is due, or in the paced resync.
 *
 * @param <K> what is reconciled: a volume, a claim
 */
public final class Engine<K, V, S extends Step> {
    /** The options of an engine. */
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
         * A step failed. Called after {@link #ended}.
         * @param nextTry the delay until the next try, if the failures of the key are not forgotten before
         */
        default void failed(K key, S step, int attempt, VolumeException failure, Duration nextTry) {}

        default void progress(K key, S step, String message) {}

        /** The engine did an internal step. */
        default void decided(K key, S step) {}

        /** A step was withdrawn before its call began. */
        default void withdrawn(K key, S step, int attempt, Duration took) {}

        /** The thread of a written-off call has returned. */
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

    /** Marks the key for a visit. */
    public void dirty(K key) {
        dirty.add(key);
    }

    /** Forgets the key's failures, so that failed steps are retried at once. */
    public void forgetFailures(K key) {
        states.forgetFailures(key);
    }

    /** The same for all keys. For example after a plugin has registered again. */
    public void forgetAllFailures() {
        states.forgetAllFailures();
    }

    /** The present plan of the key, without regard to steps that are under way or delayed. */
    @SuppressWarnings("try") // the scope is the block
    public Plan<S> plan(K key) {
        try (Instrumentation.Scope decided = loop.instrumentation().plan(key)) {
            V view = world.view(key);
            return view == null ? Plan.nothing() : planner.plan(view);
        }
    }

    /** Explains the state of the key. */
    public Explanation explain(K key, String subject) {
        V view = world.view(key);
        Plan<S> plan = view == null ? Plan.nothing() : planner.plan(view);
        return reasons.of(key, subject, view != null, plan, states.get(key));
    }

    /** Whether no key is dirty, no operation runs and no step waits for a retry. Routine timers do not count. */
    public boolean quiet() {
        return dirty.none() && states.atRest();
    }

    /**
     * One operation that has not ended, or whose thread has not returned.
     * @param takenNanos when it began, by the loop's time
     * @param deadlineNanos its deadline, by the loop's time; empty while the call has not begun
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

    /** The number of operations that have not ended, or whose thread has not returned. */
    public int underWay() {
        return states.underWay();
    }

    /** Takes no more steps and cancels running calls. Returns the calls whose threads have not returned. */
    public List<String> close() {
        dirty.close();
        List<String> left = executor.close();
        operations.closed();
        return left;
    }

    private void visit(K key) {
        try {
            takeSteps(key);
        } finally {
            operations.visited(key);
        }
    }

    private void takeSteps(K key) {
        Plan<S> plan = plan(key);
        @Nullable KeyState<S> state = states.get(key);
        if (state == null && plan.isEmpty()) {
            return;
        }
        if (state != null && !state.underWay.isEmpty()) {
            operations.cancelUnwanted(key, state, plan);
            if (operations.withdrawUnwanted(key, state, plan)) {
                // The plan was made before that; the key is visited again.
                return;
            }
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
