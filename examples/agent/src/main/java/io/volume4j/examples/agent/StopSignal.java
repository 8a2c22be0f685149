package io.volume4j.examples.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps an agent running until SIGTERM or Ctrl-C, and the end of the process back until the agent has closed. */
final class StopSignal {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    void ask() {
        asked.countDown();
    }

    void awaitAsked() throws InterruptedException {
        asked.await();
    }

    void finished() {
        done.countDown();
    }

    /** Waits until the agent has closed; false if that takes too long. */
    boolean awaitFinished(Duration patience) {
        try {
            return done.await(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
