package io.volume4j.inmemory.sim;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * A thread that runs only while the world waits for it: a call on it can stop in its middle, and the world goes on
 * meanwhile. Exactly one of the two ever runs.
 */
final class CallThread {
    private final Semaphore toCall = new Semaphore(0);
    private final Semaphore toWorld = new Semaphore(0);
    private boolean ended;

    /** Runs the work up to its first pause, or to its end. Called by the world. */
    void begin(Executor threads, Runnable work) {
        threads.execute(() -> {
            try {
                work.run();
            } finally {
                ended = true;
                toWorld.release();
            }
        });
        toWorld.acquireUninterruptibly();
    }

    /** Runs on up to the next pause, or to the end. Called by the world. */
    void resume() {
        if (!ended) {
            toCall.release();
            toWorld.acquireUninterruptibly();
        }
    }

    /** Lets the world go on until it resumes this call. Called by the work. */
    void pause() {
        toWorld.release();
        toCall.acquireUninterruptibly();
    }
}
