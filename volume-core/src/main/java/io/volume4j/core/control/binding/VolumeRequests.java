package io.volume4j.core.control.binding;

import io.volume4j.core.control.host.CareCalls;
import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Operations that users request by name because they must not happen automatically. Thread-safe; each call runs on a worker. */
public final class VolumeRequests {
    private final CareCalls calls;
    private final VolumeCare care;
    private final Orphans orphans;

    VolumeRequests(CareCalls calls, VolumeCare care, Orphans orphans) {
        this.calls = calls;
        this.care = care;
        this.orphans = orphans;
    }

    /**
     * Makes a retained volume available to claims that fit.
     *
     * @param claim the only claim, by name, that may get the volume; null for any claim
     */
    public CompletableFuture<PersistentVolume> release(String volume, @Nullable ObjectKey claim) {
        return calls.call("release", context -> care.release(volume, claim, context));
    }

    /** Makes a lost claim unbound, so that it can get another volume. */
    public CompletableFuture<PersistentVolumeClaim> repairLost(ObjectKey claim) {
        return calls.call("repair", context -> care.repairLost(claim, context));
    }

    /** Storage of the backends that no object of the cluster refers to. */
    public CompletableFuture<List<OrphanedStorage>> orphans() {
        return calls.call("orphans", orphans::find);
    }

    /**
     * Creates an object for an orphan. The volume is then available to claims, or released and deleted like any other volume.
     *
     * @param policy Retain or Delete
     */
    public CompletableFuture<PersistentVolume> adopt(String plugin, String handle, ReclaimPolicy policy) {
        return calls.call("adopt", context -> orphans.adopt(plugin, handle, policy, context));
    }

    /** Creates objects for storage of these claims. Completes with the claims that are settled. */
    CompletableFuture<List<Abandoned>> sweep(List<Abandoned> lost) {
        return calls.call("sweep", context -> orphans.sweep(lost, context));
    }
}
