package io.volume4j.core.node;

import io.volume4j.spi.VolumeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Lets a worker wait for the event loop. Workers wait only here, so that a simulator can run other tasks meanwhile.
 */
@FunctionalInterface
public interface Blocking {
    /**
     * Waits for the future.
     *
     * @throws VolumeException the failure of the future; transient if the wait was interrupted
     */
    <T> T await(CompletableFuture<T> future);

    /** Parks the thread. */
    static Blocking threads() {
        return new Blocking() {
            @Override
            public <T> T await(CompletableFuture<T> future) {
                try {
                    return future.get();
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof VolumeException classified) {
                        throw classified;
                    }
                    throw VolumeException.uncertain("failed without a reason: " + failed.getCause())
                            .withCause(failed);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw VolumeException.uncertain("interrupted").withCause(interrupted);
                }
            }
        };
    }
}
