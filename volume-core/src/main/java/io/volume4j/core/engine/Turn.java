package io.volume4j.core.engine;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Who runs a loop: one thread at a time, and what one did in its turn is seen by the thread that has the next. Thread-safe.
 *
 * <p>A thread that has work for the loop calls for a thread if none has the turn. Only the first who calls hears that he has to
 * wake one; the call ends when the turn is taken, by whichever thread.
 */
final class Turn {
    private enum State {
        FREE,
        CALLED,
        TAKEN,
        OVER
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.FREE);
    private volatile @Nullable Thread holder;

    /** Whether no thread has the turn and none was called. */
    boolean free() {
        return state.get() == State.FREE;
    }

    /** True if the caller has to wake a thread. */
    boolean call() {
        return state.compareAndSet(State.FREE, State.CALLED);
    }

    boolean called() {
        return state.get() == State.CALLED;
    }

    /** True if the calling thread has the turn now. */
    boolean take() {
        if (state.compareAndSet(State.CALLED, State.TAKEN) || state.compareAndSet(State.FREE, State.TAKEN)) {
            holder = Thread.currentThread();
            return true;
        }
        return false;
    }

    /** Whether the calling thread has it. */
    boolean mine() {
        return Thread.currentThread() == holder;
    }

    /** Gives the turn back. That thread must look afterwards whether work has come that it did not see. */
    void leave() {
        holder = null;
        state.set(State.FREE);
    }

    /** No thread takes it any more and the calling thread keeps it; false, and nothing happens, while a thread has it. */
    boolean end() {
        if (!take()) {
            return false;
        }
        state.set(State.OVER);
        return true;
    }
}
