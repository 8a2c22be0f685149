package io.volume4j.core.engine;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /** Hears of everything that happens to steps. On the loop; must not block. */
    public interface Observer<K, S> {
        default void started(K key, S step, int attempt) {}

        default void ended(K key, S step, int attempt, Outcome outcome, Duration took) {}

        default void progress(K key, S step, String message) {}

        /** An internal step was done. */
        default void decided(K key, S step) {}

        /** A step that was started was withdrawn before its call was made. */
        default void withdrawn(K key, S step, int attempt, Duration took) {}

        /** The thread of a call that was written off came back at last. */
        default void returned(K key, S step) {}
    }

    private static final EventLoop.Timer NO_TIMER = () -> {};

    /** Until a key is looked at again that could not be looked at. */
    private static final Duration AFTER_A_BUG = Duration.ofSeconds(10);

    /** Keys visited in one task of the loop, so that outcomes and timers are not kept waiting by many of them. */
    private static final int BATCH = 64;

    /** So many keys in a row are more than the usual. */
    private static final int FLOOD = 4096;

    private final EventLoop loop;
    private final World<K, V, S> world;
    private final Planner<V, S> planner;
    private final IntentLog<K, S> intents;
    private final OperationExecutor executor;
    private final RandomGenerator random;
    private final Options options;
    private final Observer<K, S> observer;

    private Set<K> dirty = new LinkedHashSet<>();
    /** Keys visited since none was dirty. */
    private int visited;

    private final ConflictTable<K> conflicts = new ConflictTable<>();
    private final Map<K, KeyState<S>> states = new DenseMap<>();
    private Iterator<K> resync = List.<K>of().iterator();
    private boolean visiting;
    private boolean closed;
    private long operations;

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
        this.intents = intents;
        this.executor = executor;
        this.random = random;
        this.options = options;
        this.observer = observer;
    }

    /** Starts the slow resync. */
    public void start() {
        scheduleResync();
    }

    /** The key is to be looked at. */
    public void dirty(K key) {
        if (closed) {
            return;
        }
        dirty.add(key);
        if (!visiting) {
            visiting = true;
            loop.execute(this::visitDirty);
        }
    }

    /** Forgets the key's failures, so that whatever waits for another try is tried at once. */
    public void forgetFailures(K key) {
        KeyState<S> state = states.get(key);
        if (state != null) {
            state.forgetTroubles();
            dirty(key);
        }
    }

    /** The same for all keys: something came back that many may have waited for. */
    public void forgetAllFailures() {
        new ArrayList<>(states.keySet()).forEach(this::forgetFailures);
    }

    /** What would be done about the key now, ignoring what is under way or put off. */
    public Plan<S> plan(K key) {
        V view = world.view(key);
        return view == null ? Plan.nothing() : planner.plan(view);
    }

    /** Why the key is as it is. */
    public Explanation explain(K key, String subject) {
        V view = world.view(key);
        KeyState<S> state = states.get(key);
        List<Explanation.StepState> steps = new ArrayList<>();
        List<String> waits = new ArrayList<>();
        Plan<S> plan = view == null ? Plan.nothing() : planner.plan(view);
        if (state != null) {
            state.underWay.forEach(operation -> steps.add(explainUnderWay(operation, state)));
        }
        for (S step : plan.steps()) {
            if (state == null || state.underWay.stream().noneMatch(op -> op.step.equals(step))) {
                steps.add(explainIdle(step, state));
            }
        }
        plan.waits().forEach(wait -> waits.add(wait.why()));
        return new Explanation(subject, view != null || state != null, steps, waits);
    }

    /** Whether nothing is dirty, under way or put off; what is only looked at from time to time does not count. */
    public boolean quiet() {
        return dirty.isEmpty() && states.values().stream().allMatch(KeyState::atRest);
    }

    /** Operations that were taken and have not ended, or whose thread has not returned. */
    public int underWay() {
        return states.values().stream().mapToInt(state -> state.underWay.size()).sum();
    }

    /** Takes no more steps and cancels the calls that run. Returns those whose threads have not come back. */
    public List<String> close() {
        closed = true;
        dirty.clear();
        return executor.close();
    }

    private void visitDirty() {
        for (int i = 0; i < BATCH && !dirty.isEmpty() && !closed; i++) {
            Iterator<K> first = dirty.iterator();
            K key = first.next();
            first.remove();
            visited++;
            visitGuarded(key);
        }
        visiting = !dirty.isEmpty() && !closed;
        if (visiting) {
            loop.execute(this::visitDirty);
        } else {
            letGoOfRoom();
        }
    }

    /**
     * Worlds ask plugins and hosts, whose bugs are told by the loop. The key that met one is looked at again later, and the
     * others go on at once.
     */
    private void visitGuarded(K key) {
        try {
            visit(key);
        } catch (RuntimeException | Error bug) {
            loop.schedule(AFTER_A_BUG, () -> dirty(key));
            loop.execute(this::visitDirty);
            throw bug;
        }
    }

    /** A set keeps the room that it once needed, be it for all keys of a start. */
    private void letGoOfRoom() {
        if (visited > FLOOD) {
            dirty = new LinkedHashSet<>();
        }
        visited = 0;
    }

    private void visit(K key) {
        V view = world.view(key);
        Plan<S> plan = view == null ? Plan.nothing() : planner.plan(view);
        @Nullable KeyState<S> state = states.get(key);
        if (state != null) {
            cancelUnwanted(state, plan);
            if (withdrawUnwanted(key, state, plan)) {
                // The plan was made before that; the key is visited again.
                return;
            }
        } else if (plan.steps().isEmpty() && plan.waits().isEmpty()) {
            return;
        }
        for (S step : plan.steps()) {
            if (closed) {
                return;
            }
            if (!step.internal()) {
                state = tryTake(key, state, step);
            } else if (free(key, step.conflictKeys())) {
                world.completed(key, step, Outcome.success(null));
                observer.decided(key, step);
                dirty(key);
                return;
            }
        }
        state = armTimer(key, state, plan);
        if (state != null) {
            forgetIfIdle(key, state, plan);
        }
    }

    private void cancelUnwanted(KeyState<S> state, Plan<S> plan) {
        for (Operation<S> operation : state.underWay) {
            if (operation.dispatched
                    && !operation.ended
                    && operation.step.cancelledWhenUnwanted()
                    && !plan.steps().contains(operation.step)) {
                executor.cancel(operation.id);
            }
        }
    }

    /** A call that waits behind others, which may hang, would be made when its turn comes, only to be undone. */
    private boolean withdrawUnwanted(K key, KeyState<S> state, Plan<S> plan) {
        Operation<S> unwanted = null;
        for (Operation<S> operation : state.underWay) {
            if (operation.dispatched
                    && !operation.ended
                    && operation.step.withdrawnWhenUnwanted()
                    && !plan.steps().contains(operation.step)
                    && executor.withdraw(operation.id)) {
                unwanted = operation;
                break;
            }
        }
        if (unwanted == null) {
            return false;
        }
        unwanted.ended = true;
        try {
            world.abandoned(key, unwanted.step);
            observer.withdrawn(
                    key, unwanted.step, unwanted.attempt, Duration.ofNanos(loop.nanoTime() - unwanted.takenAt));
        } finally {
            release(key, unwanted);
        }
        return true;
    }

    /** Takes the step if it may be taken now; returns what is kept about the key then. */
    private @Nullable KeyState<S> tryTake(K key, @Nullable KeyState<S> state, S step) {
        if (state != null && (state.isUnderWay(step) || state.putOff(step, loop.nanoTime()))) {
            return state;
        }
        List<ConflictKey> keys = step.conflictKeys();
        if (!free(key, keys)) {
            return state;
        }
        KeyState<S> current = state != null ? state : begin(key);
        Operation<S> operation = new Operation<>(
                current,
                options.name() + "-" + options.incarnation() + "-" + ++operations,
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
        } catch (RuntimeException failure) {
            notBegun(key, operation, failure);
        }
        return current;
    }

    /**
     * Worlds ask plugins and hosts before there is a call, and names that they gave may be none. Nothing was done then, and
     * nobody else would end the operation and give back its keys.
     */
    private void notBegun(K key, Operation<S> operation, RuntimeException failure) {
        if (!operation.ended) {
            VolumeException told = failure instanceof VolumeException classified
                    ? classified
                    : VolumeException.transientFailure(
                                    "could not begin to " + operation.step.describe() + ": " + failure)
                            .withCause(failure);
            try {
                end(key, operation, Outcome.failure(told));
            } finally {
                release(key, operation);
            }
        }
        if (!(failure instanceof VolumeException)) {
            throw failure;
        }
    }

    private KeyState<S> begin(K key) {
        KeyState<S> state = new KeyState<>();
        states.put(key, state);
        return state;
    }

    /** Whether nobody holds one of a step's conflict keys; otherwise the key is visited again when that changes. */
    private boolean free(K key, List<ConflictKey> keys) {
        ConflictKey busy = conflicts.firstBusy(keys).orElse(null);
        if (busy != null) {
            conflicts.await(busy, key);
        }
        return busy == null;
    }

    /** The world may have changed while the disk was written: only what is still wanted is done. */
    private void intentRecorded(K key, Operation<S> operation, @Nullable VolumeException failure) {
        if (closed) {
            return;
        }
        if (failure != null) {
            end(key, operation, Outcome.failure(failure));
            release(key, operation);
            return;
        }
        try {
            if (plan(key).steps().contains(operation.step)) {
                dispatch(key, operation);
            } else {
                world.abandoned(key, operation.step);
                release(key, operation);
            }
        } catch (RuntimeException bug) {
            notBegun(key, operation, bug);
        }
    }

    private void dispatch(K key, Operation<S> operation) {
        operation.dispatched = true;
        observer.started(key, operation.step, operation.attempt);
        executor.submit(
                operation.id,
                operation.attempt,
                world.call(key, operation.step),
                message -> {
                    operation.progress = message;
                    observer.progress(key, operation.step, message);
                },
                new OperationExecutor.Reports() {
                    @Override
                    public void ended(Outcome outcome) {
                        if (!closed) {
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

    private void end(K key, Operation<S> operation, Outcome outcome) {
        operation.ended = true;
        operation.writtenOff = outcome.writtenOff();
        KeyState<S> state = operation.state;
        if (outcome.succeeded()) {
            if (operation.step.progress()) {
                state.forgetTroubles();
            }
        } else {
            VolumeException failure = outcome.requireFailure();
            int failures = 1 + state.failures(operation.step);
            Duration delay = options.backoff().delay(failures, failure.kind(), random);
            state.trouble(operation.step, new Trouble(failures, failure, loop.nanoTime() + delay.toNanos()));
        }
        world.completed(key, operation.step, outcome);
        observer.ended(
                key, operation.step, operation.attempt, outcome, Duration.ofNanos(loop.nanoTime() - operation.takenAt));
        dirty(key);
    }

    private void release(K key, Operation<S> operation) {
        operation.state.underWay.remove(operation);
        dirty(key);
        conflicts.release(operation.keys).forEach(this::dirty);
    }

    private @Nullable KeyState<S> armTimer(K key, @Nullable KeyState<S> state, Plan<S> plan) {
        if (state == null && plan.waits().isEmpty()) {
            return null;
        }
        long at = Wait.NO_TIME;
        boolean routine = true;
        long now = loop.nanoTime();
        if (state != null) {
            for (S step : plan.steps()) {
                if (state.putOff(step, now)) {
                    routine = false;
                    at = Math.min(at, state.notBefore(step));
                }
            }
        }
        for (Wait wait : plan.waits()) {
            routine &= wait.routine() || wait.notBeforeNanos() == Wait.NO_TIME;
            at = Math.min(at, wait.notBeforeNanos());
        }
        if (state != null) {
            state.timer.cancel();
        }
        if (at != Wait.NO_TIME) {
            KeyState<S> armed = state != null ? state : begin(key);
            armed.timer = loop.schedule(Duration.ofNanos(Math.max(0, at - now)), () -> dirty(key));
            armed.timed = true;
            armed.routine = routine;
            return armed;
        }
        if (state != null) {
            state.timed = false;
        }
        return state;
    }

    /** Keys at rest cost nothing: what is kept about them goes with their last trouble. */
    private void forgetIfIdle(K key, KeyState<S> state, Plan<S> plan) {
        if (plan.steps().isEmpty()) {
            state.forgetTroubles();
        }
        if (state.underWay.isEmpty() && state.troubles.isEmpty() && !state.timed) {
            states.remove(key);
        }
    }

    private Explanation.StepState explainUnderWay(Operation<S> operation, KeyState<S> state) {
        Trouble trouble = state.trouble(operation.step);
        String queued = operation.dispatched ? executor.waitsFor(operation.id) : "";
        Explanation.StepState.Phase phase = !operation.dispatched
                ? Explanation.StepState.Phase.RECORDING_INTENT
                : queued.isEmpty() ? Explanation.StepState.Phase.RUNNING : Explanation.StepState.Phase.QUEUED;
        String running = operation.ended ? "written off, its thread has not returned" : operation.progress;
        return new Explanation.StepState(
                operation.step.describe(),
                phase,
                queued.isEmpty() ? running : queued,
                trouble == null ? 0 : trouble.failures,
                trouble == null ? "" : trouble.text(),
                Duration.ZERO);
    }

    private Explanation.StepState explainIdle(S step, @Nullable KeyState<S> state) {
        Trouble trouble = state == null ? null : state.trouble(step);
        ConflictKey busy = conflicts.firstBusy(step.conflictKeys()).orElse(null);
        long left = trouble == null ? 0 : trouble.notBefore - loop.nanoTime();
        Explanation.StepState.Phase phase = left > 0
                ? Explanation.StepState.Phase.BACKING_OFF
                : busy != null ? Explanation.StepState.Phase.BLOCKED : Explanation.StepState.Phase.READY;
        return new Explanation.StepState(
                step.describe(),
                phase,
                busy == null ? "" : "another operation uses " + busy.first(),
                trouble == null ? 0 : trouble.failures,
                trouble == null ? "" : trouble.text(),
                Duration.ofNanos(Math.max(0, left)));
    }

    private void scheduleResync() {
        if (closed || options.resyncPerSecond() == 0) {
            return;
        }
        loop.schedule(Duration.ofSeconds(1), () -> {
            if (!resync.hasNext()) {
                resync = world.keys();
            }
            for (int i = 0; i < options.resyncPerSecond() && resync.hasNext(); i++) {
                dirty(resync.next());
            }
            scheduleResync();
        });
    }

    private static final class KeyState<S extends Step> {
        /** In the order in which they were taken; rarely more than one. */
        private final List<Operation<S>> underWay = new ArrayList<>(1);
        /** By the steps' retry keys; nearly always none. */
        private Map<String, Trouble> troubles = Map.of();

        private EventLoop.Timer timer = NO_TIMER;
        private boolean timed;
        /** All is done, and the timer is for the next look. */
        private boolean routine;

        boolean atRest() {
            return underWay.isEmpty() && troubles.isEmpty() && timed && routine;
        }

        boolean isUnderWay(S step) {
            for (Operation<S> operation : underWay) {
                if (operation.step.equals(step)) {
                    return true;
                }
            }
            return false;
        }

        @Nullable
        Trouble trouble(S step) {
            return troubles.isEmpty() ? null : troubles.get(step.retryKey());
        }

        void trouble(S step, Trouble trouble) {
            if (troubles.isEmpty()) {
                troubles = new LinkedHashMap<>(2);
            }
            troubles.put(step.retryKey(), trouble);
        }

        void forgetTroubles() {
            troubles = Map.of();
        }

        int failures(S step) {
            Trouble trouble = trouble(step);
            return trouble == null ? 0 : trouble.failures;
        }

        long notBefore(S step) {
            Trouble trouble = trouble(step);
            return trouble == null ? Wait.NO_TIME : trouble.notBefore;
        }

        boolean putOff(S step, long now) {
            Trouble trouble = trouble(step);
            return trouble != null && trouble.notBefore - now > 0;
        }
    }

    private record Trouble(int failures, VolumeException failure, long notBefore) {
        String text() {
            return failure.advice().isEmpty() ? failure.getMessage() : failure.getMessage() + " — " + failure.advice();
        }
    }

    private static final class Operation<S extends Step> {
        /** Of its key, which is kept as long as anything is under way. */
        private final KeyState<S> state;

        private final String id;
        private final S step;
        private final List<ConflictKey> keys;
        private final int attempt;
        private final long takenAt;
        private String progress = "";
        private boolean dispatched;
        private boolean ended;
        private boolean writtenOff;

        Operation(KeyState<S> state, String id, S step, List<ConflictKey> keys, int attempt, long takenAt) {
            this.state = state;
            this.id = id;
            this.step = step;
            this.keys = keys;
            this.attempt = attempt;
            this.takenAt = takenAt;
        }
    }
}
