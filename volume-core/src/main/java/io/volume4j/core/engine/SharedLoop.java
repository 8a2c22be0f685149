package io.volume4j.core.engine;

import java.util.concurrent.Executor;

/** A loop as threads see it that make its calls, and that run it as well when they are awake anyway. */
interface SharedLoop {
    /** Wakes a thread for calls that came, at once or soon, for several at a time. */
    void soon(Runnable wake);

    /** Whether somebody is to run the loop and nobody has begun. */
    boolean called();

    /** True if the loop has work and the calling thread has the turn now; it must {@link #run run} the loop then. */
    boolean take();

    /**
     * Runs the loop until it has no more work, and gives the turn back.
     *
     * @param needless of what is to be done {@link #soon}, because the caller does it himself afterwards
     */
    void run(Runnable needless);

    /** Has the loop's own thread run it, as no other can. */
    void wakeOwnThread();

    /** None that these threads could run; their calls come from elsewhere. */
    static SharedLoop none(Executor waker) {
        return new SharedLoop() {
            @Override
            public void soon(Runnable wake) {
                waker.execute(wake);
            }

            @Override
            public boolean called() {
                return false;
            }

            @Override
            public boolean take() {
                return false;
            }

            @Override
            public void run(Runnable needless) {
                throw new IllegalStateException("there is no loop");
            }

            @Override
            public void wakeOwnThread() {
                // there is none
            }
        };
    }
}
