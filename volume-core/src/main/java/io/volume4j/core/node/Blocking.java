package io.volume4j.core.node;

import io.volume4j.core.engine.EventLoop;
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

    /**
     * Checks that the caller may wait for the event loop. Call it before anything is posted that the caller waits for.
     *
     * @throws VolumeException transient, if the caller is the event loop itself, which would wait forever
     */
    default void requireWorker() {}

    /** Parks the thread. Refuses the thread that runs the loop: a host's executor may run a call on its caller. */
    static Blocking threads(EventLoop loop) {
        return new Blocking() {
            @Override
            public void requireWorker() {
                if (loop.inLoop()) {
                    throw VolumeException.transientFailure(
                                    "the executor for calls ran this call on the event loop, which the call waits for")
                            .withAdvice("give an executor with its own threads that rejects calls when it is full");
                }
            }

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
