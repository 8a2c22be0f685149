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

/** What people ask for by name because it is not to happen by itself. Thread-safe; each call runs on a worker. */
public final class VolumeRequests {
    private final CareCalls calls;
    private final VolumeCare care;
    private final Orphans orphans;
    private final String finalizer;

    /** @param finalizer that keeps a volume until its storage is gone */
    VolumeRequests(CareCalls calls, VolumeCare care, Orphans orphans, String finalizer) {
        this.calls = calls;
        this.care = care;
        this.orphans = orphans;
        this.finalizer = finalizer;
    }

    /**
     * Gives a retained volume to a claim that fits.
     *
     * @param claim reserves it for the claim of that name instead; null for any claim
     */
    public CompletableFuture<PersistentVolume> release(String volume, @Nullable ObjectKey claim) {
        return calls.call("release", context -> care.release(volume, claim, context));
    }

    /** Lets a lost claim begin anew. */
    public CompletableFuture<PersistentVolumeClaim> repairLost(ObjectKey claim) {
        return calls.call("repair", context -> care.repairLost(claim, context));
    }

    /** What the backends hold that no object of the cluster tells of. */
    public CompletableFuture<List<OrphanedStorage>> orphans() {
        return calls.call("orphans", orphans::find);
    }

    /**
     * Gives an orphan an object: kept for the claim that gets it, or released, to be deleted like every other volume.
     *
     * @param policy Retain or Delete
     */
    public CompletableFuture<PersistentVolume> adopt(String plugin, String handle, ReclaimPolicy policy) {
        return calls.call("adopt", context -> orphans.adopt(plugin, handle, policy, finalizer, context));
    }

    /** Gives objects to what was made for these claims; completes with those of which nothing more has to be found out. */
    CompletableFuture<List<Abandoned>> sweep(List<Abandoned> lost) {
        return calls.call("sweep", context -> orphans.sweep(lost, finalizer, context));
    }
}
