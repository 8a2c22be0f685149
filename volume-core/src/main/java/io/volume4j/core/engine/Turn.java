package io.volume4j.core.engine;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The right to run a loop. One thread has it at a time, and the next one sees all its changes. Thread-safe.
 *
 * <p>A thread with work for the loop requests a thread if none has the turn. Only the first requester gets true, and
 * must wake a thread. The request ends when any thread takes the turn.
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

    /** Whether no thread has the turn and none was requested. */
    boolean free() {
        return state.get() == State.FREE;
    }

    /** Requests a thread. True if the caller must wake one. */
    boolean call() {
        return state.compareAndSet(State.FREE, State.CALLED);
    }

    boolean called() {
        return state.get() == State.CALLED;
    }

    /** True if the calling thread now has the turn. */
    boolean take() {
        if (state.compareAndSet(State.CALLED, State.TAKEN) || state.compareAndSet(State.FREE, State.TAKEN)) {
            holder = Thread.currentThread();
            return true;
        }
        return false;
    }

    /** Whether the calling thread has the turn. */
    boolean mine() {
        return Thread.currentThread() == holder;
    }

    /** Releases the turn. The thread must then check for work that came meanwhile. */
    void leave() {
        holder = null;
        state.set(State.FREE);
    }

    /**
     * Takes the turn forever, so that no other thread can. Returns false without an effect while another thread has
     * it.
     */
    boolean end() {
        if (!take()) {
            return false;
        }
        state.set(State.OVER);
        return true;
    }
}
