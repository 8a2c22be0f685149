package io.volume4j.core.node.agent;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.OpenAnswers;
import io.volume4j.spi.VolumeException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests of other threads to an agent: each is posted to the agent's loop and answered by a future. Once the agent is closed or
 * its loop has ended, requests are refused, so that no caller waits for ever. Any thread may ask.
 *
 * <p>Before the start the agent does not know what an earlier run left. Requests that need this fail until {@link #begin}.
 */
final class LoopRequests {
    private final EventLoop loop;
    private final String nodeName;
    private final OpenAnswers answers = new OpenAnswers(this::wasClosed);
    /** Loop thread only. */
    private boolean started;
    /** Loop thread only. */
    private boolean closed;
    /** Why the last start failed; set by the thread that starts. */
    private volatile @Nullable Throwable startFailed;

    LoopRequests(EventLoop loop, String nodeName) {
        this.loop = loop;
        this.nodeName = nodeName;
    }

    /** The agent knows what an earlier run left; on the loop. */
    void begin() {
        started = true;
        startFailed = null;
    }

    /** What is mounted stays unknown, and the next request fails with this reason. From any thread. */
    void startFailed(Throwable why) {
        startFailed = why;
    }

    /** Whether the agent knows what an earlier run left; on the loop. */
    boolean started() {
        return started;
    }

    /**
     * On the loop.
     *
     * @throws VolumeException while the agent does not know what is mounted
     */
    void requireStarted() {
        if (!started) {
            throw VolumeException.transientFailure(notStarted())
                    .withAdvice(
                            startFailed == null
                                    ? "ask when start() has returned"
                                    : "remove the cause and call start() again; what is mounted stays as it is meanwhile");
        }
    }

    /** Why the agent does not know what is mounted. */
    String notStarted() {
        String subject = "the volume manager of node " + nodeName;
        Throwable why = startFailed;
        return why == null
                ? subject + " was not started: it does not know yet what is mounted"
                : subject + " could not start and does not know what is mounted: " + why.getMessage();
    }

    /** Asks what can be answered at once. */
    <T> CompletableFuture<T> ask(Supplier<T> question) {
        return request(future -> future.complete(question.get()));
    }

    /** The same for a question that only a started agent can answer. */
    <T> CompletableFuture<T> askStarted(Supplier<T> question) {
        return requestStarted(future -> future.complete(question.get()));
    }

    /** Asks for what the task answers later, by the future that it is given. */
    <T> CompletableFuture<T> request(Consumer<CompletableFuture<T>> task) {
        CompletableFuture<T> future = new CompletableFuture<>();
        post(future, () -> task.accept(future));
        return future;
    }

    /** The same for a question that only a started agent can answer. */
    <T> CompletableFuture<T> requestStarted(Consumer<CompletableFuture<T>> task) {
        return request(future -> {
            requireStarted();
            task.accept(future);
        });
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
        return VolumeException.transientFailure("the volume manager of node " + nodeName + " was closed")
                .withAdvice("build and start another one; what is mounted stays mounted until then");
    }
}
