package io.volume4j.core.objects;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Futures of callers that wait until an object is gone. The change that removes the object completes them, on a worker, because
 * what hangs on them is the host's and may take its time. As long as the cache does not hold all objects of the kind, an object that
 * it does not hold is unknown and not gone. Loop thread only.
 */
public final class GoneWaiters implements ObjectListener {
    private final ObjectCache cache;
    private final Executor workers;
    private final Map<ObjectKey, List<CompletableFuture<ObjectKey>>> waiting = new HashMap<>();

    public GoneWaiters(ObjectCache cache, Executor workers) {
        this.cache = cache;
        this.workers = workers;
    }

    public void await(ObjectKey key, CompletableFuture<ObjectKey> future) {
        waiting.computeIfAbsent(key, none -> new ArrayList<>(1)).add(future);
        check(key);
    }

    /** Forgets a future that its caller cancelled. */
    public void forget(ObjectKey key, CompletableFuture<ObjectKey> future) {
        waiting.computeIfPresent(key, (none, futures) -> {
            futures.removeIf(other -> other == future);
            return futures.isEmpty() ? null : futures;
        });
    }

    @Override
    public void changed(ObjectChange change) {
        if (change.after() == null) {
            check(change.key());
        }
    }

    @Override
    public void completeness(Kind kind, boolean complete) {
        if (complete) {
            waiting.keySet().stream().filter(key -> key.kind() == kind).toList().forEach(this::check);
        }
    }

    /** Refuses what is still owed. */
    public void close() {
        waiting.values()
                .forEach(futures -> futures.forEach(future -> answer(() ->
                        future.completeExceptionally(VolumeException.transientFailure("the controller was closed")))));
        waiting.clear();
    }

    private void check(ObjectKey key) {
        if (waiting.containsKey(key)
                && cache.complete(key.kind())
                && cache.get(key).isEmpty()) {
            List<CompletableFuture<ObjectKey>> futures = waiting.remove(key);
            if (futures != null) {
                futures.forEach(future -> answer(() -> future.complete(key)));
            }
        }
    }

    /** On a worker, but here where none is to be had, as when the host has ended them: an answer must not be lost. */
    private void answer(Runnable completion) {
        try {
            workers.execute(completion);
        } catch (RuntimeException | Error noThread) {
            completion.run();
        }
    }
}
