package io.volume4j.core.engine;

/**
 * A loop for the threads of its calls, which also run the loop when they are awake. The default methods belong to a
 * loop that these threads cannot run.
 */
@FunctionalInterface
interface SharedLoop {
    /** Wakes a thread for new calls, at once or soon, once for several calls. */
    void soon(Runnable wake);

    /** Whether the loop needs a thread to run it and no thread has begun. */
    default boolean called() {
        return false;
    }

    /**
     * True if the loop has work and the calling thread now has the turn. The thread must then {@link #run run} the
     * loop.
     */
    default boolean take() {
        return false;
    }

    /**
     * Runs the loop until it has no more work, and releases the turn.
     *
     * @param needless an action of {@link #soon} that the loop need not run, because the caller runs it afterwards
     */
    default void run(Runnable needless) {
        throw new IllegalStateException("there is no loop");
    }

    /** Makes a thread look for calls again later, because no thread was available. */
    default void lookAgain() {
        // the caller of the next call does
    }

    /** Wakes the loop's own thread to run it, because no other thread can. */
    default void wakeOwnThread() {
        // there is none
    }
}
