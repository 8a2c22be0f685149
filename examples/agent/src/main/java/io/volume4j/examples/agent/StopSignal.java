package io.volume4j.examples.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps an agent running until SIGTERM or Ctrl-C, and delays the end of the process until the agent has closed. */
final class StopSignal {
    private final CountDownLatch asked = new CountDownLatch(1);

    void ask() {
        asked.countDown();
    }

    void awaitAsked() throws InterruptedException {
        asked.await();
    }

    /** Waits so long for the signal; whether it came. */
    boolean isAskedWithin(Duration time) throws InterruptedException {
        return asked.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits until the thread has ended the process itself, or until the time limit. */
    void holdBack(Thread ending, Duration patience) {
        try {
            ending.join(patience.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
