package io.volume4j.core.node.agent;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.engine.OpenAnswers;
import io.volume4j.spi.VolumeException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests of other threads to an agent. Each runs on the agent's loop, and a future has its result. When the agent is
 * closed or its loop has ended, requests fail, so that no caller waits forever. Any thread may send requests.
 *
 * <p>Before the start, the agent does not know the mounts of an earlier run. Requests that need them fail until
 * {@link #begin}.
 */
final class LoopRequests {
    private final EventLoop loop;
    private final String nodeName;
    private final OpenAnswers answers = new OpenAnswers(this::wasClosed);
    /** Loop thread only. */
    private boolean started;
    /** Loop thread only. */
    private boolean closed;
    /** Why the last start failed. Set by the thread that starts the agent. */
    private volatile @Nullable Throwable startFailed;

    LoopRequests(EventLoop loop, String nodeName) {
        this.loop = loop;
        this.nodeName = nodeName;
    }

    /** The agent now knows the mounts of an earlier run. Loop thread only. */
    void begin() {
        started = true;
        startFailed = null;
    }

    /** The start failed. Later requests that need the mounts fail with this reason. Any thread may call this. */
    void startFailed(Throwable why) {
        startFailed = why;
    }

    /** Whether the agent knows the mounts of an earlier run. Loop thread only. */
    boolean started() {
        return started;
    }

    /**
     * Loop thread only.
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

    /** Runs a query that has its result at once. */
    <T> CompletableFuture<T> ask(Supplier<T> question) {
        return request(future -> future.complete(question.get()));
    }

    /** The same, but fails before the agent has started. */
    <T> CompletableFuture<T> askStarted(Supplier<T> question) {
        return requestStarted(future -> future.complete(question.get()));
    }

    /** Runs a task that completes the given future later. */
    <T> CompletableFuture<T> request(Consumer<CompletableFuture<T>> task) {
        CompletableFuture<T> future = new CompletableFuture<>();
        post(future, () -> task.accept(future));
        return future;
    }

    /** The same, but fails before the agent has started. */
    <T> CompletableFuture<T> requestStarted(Consumer<CompletableFuture<T>> task) {
        return request(future -> {
            requireStarted();
            task.accept(future);
        });
    }

    /** The same with an existing future. An exception of the task fails the future. */
    void post(CompletableFuture<?> future, Runnable task) {
        answers.owe(future);
        loop.execute(() -> {
            if (closed) {
                future.completeExceptionally(wasClosed());
                return;
            }
            try {
                task.run();
            } catch (Throwable failure) {
                future.completeExceptionally(failure);
            }
        });
    }

    /** Refuses all later requests. Returns false if the agent was closed before. Loop thread only. */
    boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** Loop thread only. */
    boolean closed() {
        return closed;
    }

    /** Fails the requests that the loop did not run before it ended. Idempotent. */
    void ended() {
        answers.end();
    }

    VolumeException wasClosed() {
        return VolumeException.transientFailure("the volume manager of node " + nodeName + " was closed")
                .withAdvice("build and start another one; what is mounted stays mounted until then");
    }
}
