package io.volume4j.core.objects;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Futures of callers that wait for a condition of an object. The change that makes the condition true completes them
 * on a worker, because the host's dependent code may be slow. Loop thread only, except {@link #await}.
 * @param <T> the result for callers
 */
public final class ObjectWaiters<T> {
    private final Executor loop;
    private final Executor workers;
    private final Function<ObjectKey, Optional<T>> answer;
    private final Map<ObjectKey, List<CompletableFuture<T>>> waiting = new HashMap<>();

    /**
     * An instance without waiting callers.
     * @param answer the result for an object, empty as long as callers must wait; called on the loop
     */
    public ObjectWaiters(Executor loop, Executor workers, Function<ObjectKey, Optional<T>> answer) {
        this.loop = loop;
        this.workers = workers;
        this.answer = answer;
    }

    /** Waits for the object, which need not be known yet. Cancelling the future ends the waiting. Any thread. */
    public CompletableFuture<T> await(ObjectKey key) {
        CompletableFuture<T> future = new CompletableFuture<>();
        loop.execute(() -> {
            waiting.computeIfAbsent(key, none -> new ArrayList<>(1)).add(future);
            check(key);
        });
        var unused = future.whenComplete((value, failure) -> {
            if (failure != null) {
                loop.execute(() -> forget(key, future));
            }
        });
        return future;
    }

    private void forget(ObjectKey key, CompletableFuture<T> future) {
        waiting.computeIfPresent(key, (none, futures) -> {
            futures.removeIf(other -> other == future);
            return futures.isEmpty() ? null : futures;
        });
    }

    /** Whether no caller waits. */
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Completes the futures for the object, if there is a result. */
    public void check(ObjectKey key) {
        if (!waiting.containsKey(key)) {
            return;
        }
        answer.apply(key).ifPresent(value -> {
            List<CompletableFuture<T>> futures = waiting.remove(key);
            if (futures != null) {
                futures.forEach(future -> complete(() -> future.complete(value)));
            }
        });
    }

    /** The same for all objects of the kind that callers wait for. */
    public void check(Kind kind) {
        waiting.keySet().stream().filter(key -> key.kind() == kind).toList().forEach(this::check);
    }

    /** Fails all open futures. */
    public void close() {
        waiting.values()
                .forEach(futures -> futures.forEach(future -> complete(() ->
                        future.completeExceptionally(VolumeException.transientFailure("the controller was closed")))));
        waiting.clear();
    }

    /**
     * Runs on a worker. If there is none, for example after the host has ended its workers, runs on the loop, so that
     * no answer is lost.
     */
    private void complete(Runnable completion) {
        try {
            workers.execute(completion);
        } catch (Throwable noThread) {
            completion.run();
        }
    }
}
