package io.volume4j.core.control.run;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.core.objects.ObjectListener;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a claim to be bound. Futures are completed by the change that satisfies them, on a worker, because what
 * hangs on them is the host's and may take its time. Loop thread only.
 */
final class BoundWaiters implements ObjectListener {
    private final ObjectCache cache;
    private final Executor workers;
    private final Map<ObjectKey, List<CompletableFuture<PersistentVolume>>> waiting = new HashMap<>();

    BoundWaiters(ObjectCache cache, Executor workers) {
        this.cache = cache;
        this.workers = workers;
    }

    void await(ObjectKey claim, CompletableFuture<PersistentVolume> future) {
        Optional<PersistentVolume> volume = boundVolume(claim);
        if (volume.isPresent()) {
            answer(() -> future.complete(volume.get()));
        } else {
            waiting.computeIfAbsent(claim, key -> new ArrayList<>(1)).add(future);
        }
    }

    /** Forgets a future that no caller waits for any more. */
    void forget(ObjectKey claim, CompletableFuture<PersistentVolume> future) {
        waiting.computeIfPresent(claim, (key, futures) -> {
            futures.removeIf(other -> other == future);
            return futures.isEmpty() ? null : futures;
        });
    }

    @Override
    public void changed(ObjectChange change) {
        if (change.key().kind() == Kind.PERSISTENT_VOLUME_CLAIM) {
            check(change.key());
        } else if (change.after() instanceof PersistentVolume volume && !waiting.isEmpty()) {
            @Nullable ObjectReference claim = volume.spec().claimRef();
            if (claim != null && !claim.name().isEmpty()) {
                check(ObjectKey.claim(claim.namespace(), claim.name()));
            }
        }
    }

    /** As the code that ends the loop refuses what is still owed: the two may come in any order. */
    void close() {
        waiting.values()
                .forEach(futures -> futures.forEach(future -> answer(() ->
                        future.completeExceptionally(VolumeException.transientFailure("the controller was closed")))));
        waiting.clear();
    }

    /** On a worker, but here where none is to be had, as when the host has ended them: an answer must not be lost. */
    private void answer(Runnable completion) {
        try {
            workers.execute(completion);
        } catch (RuntimeException | Error noThread) {
            completion.run();
        }
    }

    private void check(ObjectKey claim) {
        if (!waiting.containsKey(claim)) {
            return;
        }
        boundVolume(claim).ifPresent(volume -> {
            List<CompletableFuture<PersistentVolume>> futures = waiting.remove(claim);
            if (futures != null) {
                futures.forEach(future -> answer(() -> future.complete(volume)));
            }
        });
    }

    private Optional<PersistentVolume> boundVolume(ObjectKey key) {
        return cache.get(key, PersistentVolumeClaim.class)
                .filter(claim -> claim.status().phase() == ClaimPhase.BOUND)
                .flatMap(claim -> cache.get(ObjectKey.volume(claim.spec().volumeName()), PersistentVolume.class)
                        .filter(volume -> belongs(volume, claim)));
    }

    private static boolean belongs(PersistentVolume volume, PersistentVolumeClaim claim) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference != null && reference.uid().equals(claim.metadata().uid());
    }
}
