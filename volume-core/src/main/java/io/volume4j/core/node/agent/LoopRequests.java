package io.volume4j.core.node.agent;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.OpenAnswers;
import io.volume4j.spi.VolumeException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What other threads ask of an agent: posted to its loop and answered by futures. It refuses requests once the agent is closed
 * or its loop has ended, so that no caller waits for ever. Any thread may ask.
 */
final class LoopRequests {
    private final EventLoop loop;
    private final String nodeName;
    private final OpenAnswers answers = new OpenAnswers(this::wasClosed);
    /** Loop thread only. */
    private boolean closed;

    LoopRequests(EventLoop loop, String nodeName) {
        this.loop = loop;
        this.nodeName = nodeName;
    }

    /** Asks what can be answered at once. */
    <T> CompletableFuture<T> ask(Supplier<T> question) {
        return request(future -> future.complete(question.get()));
    }

    /** Asks for what the task answers later, by the future that it is given. */
    <T> CompletableFuture<T> request(Consumer<CompletableFuture<T>> task) {
        CompletableFuture<T> future = new CompletableFuture<>();
        post(future, () -> task.accept(future));
        return future;
    }

    /** The same with a future that is there already; what the task throws fails it. */
    void post(CompletableFuture<?> future, Runnable task) {
        answers.owe(future);
        loop.execute(() -> {
            if (closed) {
                future.completeExceptionally(wasClosed());
                return;
            }
            try {
                task.run();
            } catch (RuntimeException | Error failure) {
                future.completeExceptionally(failure);
            }
        });
    }

    /** Refuses what is asked from now on. False if it did so before; on the loop. */
    boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** On the loop. */
    boolean closed() {
        return closed;
    }

    /** Fails the questions that the loop did not answer before it ended. Idempotent. */
    void ended() {
        answers.end();
    }

    VolumeException wasClosed() {
        return VolumeException.transientFailure("the volume manager of node " + nodeName + " was closed");
    }
}
