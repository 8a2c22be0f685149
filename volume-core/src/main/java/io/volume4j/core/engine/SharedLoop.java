package io.volume4j.core.engine;

/**
 * A loop as threads see it that make its calls, and that run it as well when they are awake anyway. One that tells only how
 * they are woken is none that they could run.
 */
@FunctionalInterface
interface SharedLoop {
    /** Wakes a thread for calls that came, at once or soon, for several at a time. */
    void soon(Runnable wake);

    /** Whether a thread is to run the loop and none has begun. */
    default boolean called() {
        return false;
    }

    /** True if the loop has work and the calling thread has the turn now; it must {@link #run run} the loop then. */
    default boolean take() {
        return false;
    }

    /**
     * Runs the loop until it has no more work, and gives the turn back.
     *
     * @param needless of what is to be done {@link #soon}, because the caller does it himself afterwards
     */
    default void run(Runnable needless) {
        throw new IllegalStateException("there is no loop");
    }

    /** Has a thread look after calls again in a while, because no thread could be had for them. */
    default void lookAgain() {
        // the caller of the next call does
    }

    /** Has the loop's own thread run it, as no other can. */
    default void wakeOwnThread() {
        // there is none
    }
}
