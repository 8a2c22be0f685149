package io.volume4j.core.control;

import io.volume4j.core.control.binding.BindingFeature;
import io.volume4j.core.control.host.ControlOptions;
import io.volume4j.core.control.host.ControllerSpec;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process that also binds claims, and executes operations that users request by name. */
final class ClaimsProcess extends AgentProcess implements PersistentVolumeController {
    private final BindingFeature binding;

    ClaimsProcess(ControllerSpec spec, ControllerSettings settings, ControlOptions options) {
        super(spec, settings, options);
        this.binding = agent().feature(BindingFeature.class);
    }

    @Override
    public CompletableFuture<PersistentVolume> whenBound(ObjectKey claim) {
        requireClaim(claim);
        return answered(binding.whenBound(claim));
    }

    @Override
    public PersistentVolume awaitBound(ObjectKey claim, Duration timeout) {
        if (threads().inLoop()) {
            throw new IllegalStateException(
                    "this call waits for the controller's event loop, but it was made on that loop: use whenBound instead");
        }
        CompletableFuture<PersistentVolume> future = whenBound(claim);
        try {
            return future.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            future.cancel(false);
            throw VolumeException.uncertain(
                    claim + " not bound within " + timeout.toMillis() + " ms; " + explanation(claim));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof VolumeException classified) {
                throw classified;
            }
            throw VolumeException.uncertain(claim + ": " + failed.getCause()).withCause(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw VolumeException.uncertain("interrupted while waiting for " + claim);
        }
    }

    @Override
    public CompletableFuture<ObjectKey> whenGone(ObjectKey object) {
        if (object.kind() != Kind.PERSISTENT_VOLUME_CLAIM && object.kind() != Kind.PERSISTENT_VOLUME) {
            throw new IllegalArgumentException(
                    object + " is neither a claim nor a volume: ask for ObjectKey.claim(…) or ObjectKey.volume(…)");
        }
        return answered(agent().whenGone(object));
    }

    @Override
    public CompletableFuture<PersistentVolume> release(String volumeName) {
        return threads().requested(() -> binding.requests().release(volumeName, null));
    }

    @Override
    public CompletableFuture<PersistentVolume> rebind(String volumeName, ObjectKey claim) {
        requireClaim(claim);
        return threads().requested(() -> binding.requests().release(volumeName, claim));
    }

    @Override
    public CompletableFuture<PersistentVolumeClaim> repairLost(ObjectKey claim) {
        return threads().requested(() -> binding.requests().repairLost(claim));
    }

    @Override
    public CompletableFuture<List<OrphanedStorage>> orphans() {
        return threads().requested(() -> binding.requests().orphans());
    }

    @Override
    public CompletableFuture<PersistentVolume> adopt(OrphanedStorage orphan, ReclaimPolicy policy) {
        return threads().requested(() -> binding.requests().adopt(orphan.plugin(), orphan.handle(), policy));
    }

    private static void requireClaim(ObjectKey claim) {
        if (claim.kind() != Kind.PERSISTENT_VOLUME_CLAIM) {
            throw new IllegalArgumentException(claim + " is no claim");
        }
    }

    private String explanation(ObjectKey claim) {
        try {
            return explain(claim).get(5, TimeUnit.SECONDS).text();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "";
        } catch (ExecutionException | TimeoutException none) {
            return "no explanation: " + none;
        }
    }
}
