package io.volume4j.core.control;

import io.volume4j.core.engine.ThreadEventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** How a controller ends: within a time, whatever hangs. */
final class Closing {
    private Closing() {}

    /**
     * Waits for the reconciler to end, then ends its threads.
     *
     * @return the calls that did not end
     */
    static List<String> close(
            CompletableFuture<List<String>> ending,
            ThreadEventLoop loop,
            @Nullable ExecutorService ownWorkers,
            Duration timeout) {
        List<String> left;
        try {
            left = ending.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            left = List.of();
        } catch (ExecutionException | TimeoutException late) {
            left = List.of("the event loop");
        }
        loop.close();
        if (ownWorkers != null) {
            ownWorkers.shutdownNow();
        }
        return left;
    }
}
