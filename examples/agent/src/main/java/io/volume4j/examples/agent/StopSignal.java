package io.volume4j.examples.agent;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM or Ctrl-C. A program that heeds it runs until then, and the process ends when the program has closed. Any other program
 * ends at once, as without this class.
 */
final class StopSignal {
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile boolean heeded;

    /** From now on the program ends itself when it is asked. */
    void heed() {
        heeded = true;
    }

    void ask() {
        asked.countDown();
    }

    void awaitAsked() throws InterruptedException {
        heed();
        asked.await();
    }

    /** Waits so long for the signal; whether it came. */
    boolean isAskedWithin(Duration time) throws InterruptedException {
        heed();
        return asked.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits until the thread has ended the process itself, or until the time limit; not at all if the program does not heed it. */
    void holdBack(Thread ending, Duration patience) {
        if (!heeded) {
            return;
        }
        try {
            ending.join(patience.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
