package io.volume4j.core.engine;

import io.volume4j.core.tables.DenseMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The states of keys between visits, and the timer of each key's next visit. A key without operations, failures and
 * timers costs nothing. Loop thread only.
 */
final class KeyStates<K, S extends Step> {
    private final EventLoop loop;
    private final DirtyKeys<K> dirty;
    private final Map<K, KeyState<S>> states = new DenseMap<>();

    KeyStates(EventLoop loop, DirtyKeys<K> dirty) {
        this.loop = loop;
        this.dirty = dirty;
    }

    @Nullable
    KeyState<S> get(K key) {
        return states.get(key);
    }

    /** Creates the state of a key that has none. */
    KeyState<S> begin(K key) {
        KeyState<S> state = new KeyState<>();
        states.put(key, state);
        return state;
    }

    /** Forgets the key's failures and visits it again. */
    void forgetFailures(K key) {
        KeyState<S> state = states.get(key);
        if (state != null) {
            state.forgetTroubles();
            dirty.add(key);
        }
    }

    void forgetAllFailures() {
        new ArrayList<>(states.keySet()).forEach(this::forgetFailures);
    }

    /**
     * The key was visited. Sets the timer for its delayed steps.
     *
     * @param state the state of the key, null for none
     */
    void visited(K key, @Nullable KeyState<S> state, Plan<S> plan) {
        KeyState<S> armed = armTimer(key, state, plan);
        if (armed != null) {
            forgetIfIdle(key, armed, plan);
        }
    }

    /** Whether all timers are routine checks. */
    boolean atRest() {
        return states.values().stream().allMatch(KeyState::atRest);
    }

    List<Engine.UnderWay<K, S>> operations(Function<String, OptionalLong> deadlines) {
        List<Engine.UnderWay<K, S>> all = new ArrayList<>();
        states.forEach((key, state) -> {
            for (Operation<S> operation : state.underWay) {
                all.add(new Engine.UnderWay<>(
                        key,
                        operation.step,
                        operation.id,
                        operation.attempt,
                        operation.takenAt,
                        deadlines.apply(operation.id),
                        operation.writtenOff,
                        operation.progress));
            }
        });
        return all;
    }

    void underWay(Consumer<Operation<S>> each) {
        states.values().forEach(state -> state.underWay.forEach(each));
    }

    int underWay() {
        return states.values().stream().mapToInt(state -> state.underWay.size()).sum();
    }

    private @Nullable KeyState<S> armTimer(K key, @Nullable KeyState<S> state, Plan<S> plan) {
        if (state == null && plan.waits().isEmpty()) {
            return null;
        }
        long at = Wait.NO_TIME;
        boolean routine = true;
        long now = loop.nanoTime();
        if (state != null && state.inTrouble()) {
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
            state.cancelTimer();
        }
        if (at != Wait.NO_TIME) {
            KeyState<S> armed = state != null ? state : begin(key);
            armed.timed(loop.schedule(Duration.ofNanos(Math.max(0, at - now)), () -> dirty.add(key)), routine);
            return armed;
        }
        if (state != null) {
            state.untimed();
        }
        return state;
    }

    /** Removes an empty state. Failures end when the plan has no steps. */
    private void forgetIfIdle(K key, KeyState<S> state, Plan<S> plan) {
        if (plan.steps().isEmpty()) {
            state.forgetTroubles();
        }
        if (state.empty()) {
            states.remove(key);
        }
    }
}
