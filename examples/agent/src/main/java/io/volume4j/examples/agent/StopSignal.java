package io.volume4j.examples.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps an agent running until SIGTERM or Ctrl-C, and the end of the process back until the agent has closed. */
final class StopSignal {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    void ask() {
        asked.countDown();
    }

    void awaitAsked() throws InterruptedException {
        asked.await();
    }

    /** Waits until the process was ended by the agent itself, or that takes too long. */
    void holdBack(Duration patience) {
        try {
            boolean never = ended.await(patience.toMillis(), TimeUnit.MILLISECONDS);
            assert !never;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
