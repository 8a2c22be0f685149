package io.volume4j.examples.quickstart;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Lets Ctrl-C end a wait, and delays the end of the process until everything is torn down. */
final class StopSignal {
    private final CompletableFuture<Object> asked = new CompletableFuture<>();

    /** The user asked to stop. */
    static final class Stopped extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("interrupted");
        }
    }

    void ask() {
        asked.complete("stop");
    }

    /** Waits for the thread, which ends the process itself, at most for the given time. */
    void holdBack(Thread ending, Duration patience) {
        try {
            ending.join(patience.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for the future.
     *
     * @throws Stopped if the user asks to stop first
     * @throws TimeoutException if neither happens in time
     */
    <T> T await(CompletableFuture<T> future, Duration timeout) throws TimeoutException {
        try {
            CompletableFuture.anyOf(future, asked).get(timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (!future.isDone()) {
                throw new Stopped();
            }
            return future.join();
        } catch (ExecutionException | CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException reason ? reason : new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Stopped();
        }
    }
}
