package io.volume4j.core.node;

import io.volume4j.spi.VolumeException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The one way in which a worker waits for the loop, so that a simulator can do other things meanwhile. */
@FunctionalInterface
public interface Blocking {
    /**
     * Waits for the future.
     *
     * @throws VolumeException as the future failed, or transient if the wait was interrupted
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
