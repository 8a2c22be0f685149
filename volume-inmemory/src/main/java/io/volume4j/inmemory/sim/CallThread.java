package io.volume4j.inmemory.sim;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * A thread that runs only while the world waits for it. A call on it can stop in the middle, and the world continues
 * meanwhile. Exactly one of the two runs at any time.
 */
final class CallThread {
    private final Semaphore toCall = new Semaphore(0);
    private final Semaphore toWorld = new Semaphore(0);
    private boolean ended;

    /** Runs the work up to its first pause or its end. Called by the world. */
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

    /** Continues up to the next pause or the end. Called by the world. */
    void resume() {
        if (!ended) {
            toCall.release();
            toWorld.acquireUninterruptibly();
        }
    }

    /** Lets the world run until it resumes this call. Called by the work. */
    void pause() {
        toWorld.release();
        toCall.acquireUninterruptibly();
    }
}
