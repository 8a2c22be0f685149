package io.volume4j.core.control;

import io.volume4j.core.volumes.OrphanedStorage;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Manages claims and volumes on the control plane. It binds claims to volumes, provisions volumes for claims, and
 * deletes, recycles or retains volumes whose claims are deleted. The controller reads, watches and writes the objects
 * in the host's cluster; the host need not report changes.
 *
 * <p>Thread-safe. Several controllers may run over one cluster: with a {@link io.volume4j.spi.host.LeaderEpoch} one
 * of them works and the others stand by. Even without one, no claim gets two volumes and no volume gets two claims,
 * because the cluster's compare-and-set decides.
 *
 * @since 0.1.0
 */
public interface PersistentVolumeController extends Controller {
    /** A builder for a controller. */
    static PersistentVolumeControllerBuilder builder() {
        return new PersistentVolumeControllerBuilder();
    }

    /**
     * Completes with the volume when the claim is bound, on a worker thread if one is available. The claim need not
     * exist yet. Problems of the claim do not fail the future, because they may end; {@link #explain} describes them.
     * Closing the controller fails the future with a transient VolumeException. Cancelling the future has no effect
     * on the claim.
     *
     * @throws IllegalArgumentException if the key is not that of a claim
     */
    CompletableFuture<PersistentVolume> whenBound(ObjectKey claim);

    /**
     * The same as {@link #whenBound}, but blocks for at most the timeout. The controller continues to reconcile after
     * the timeout.
     * @throws VolumeException uncertain, if the claim is not bound in time; the message explains why. Otherwise the
     *     failure of the future
     * @throws IllegalStateException if this is called on the controller's event loop, in a listener or a dependent stage
     */
    PersistentVolume awaitBound(ObjectKey claim, Duration timeout);

    /**
     * Completes when the cluster certainly has no claim or volume with that name, for example after a claim was
     * deleted and its volume's storage reclaimed. Completes on a worker thread if one is available. An object that
     * never existed counts as gone. An object that cannot be read does not. Problems of the object do not fail the
     * future; {@link #explain} says why it still exists. Closing the controller fails the future with a transient
     * VolumeException. Cancelling the future has no effect on the object.
     * @throws IllegalArgumentException if the key is not of a claim or a volume
     */
    CompletableFuture<ObjectKey> whenGone(ObjectKey object);

    /**
     * Makes a retained volume (policy Retain) available to any matching claim, with all its data. Reads the store,
     * not a cache. Completes when the change is stored; the controller updates the phase afterwards.
     *
     * <p>Fails with a {@link VolumeException}: <em>final</em>, if there is no such volume, if its policy is not
     * Retain, if its claim still exists, or if it may be being deleted; <em>in use</em>, if it is attached or a pod
     * uses it; <em>transient</em>, if another writer changed it or the cluster does not answer.
     */
    CompletableFuture<PersistentVolume> release(String volumeName);

    /**
     * The same as {@link #release}, but reserves the volume for the claim with that name, which need not exist yet.
     * If the volume matches the claim, the controller binds the claim to this volume only.
     */
    CompletableFuture<PersistentVolume> rebind(String volumeName, ObjectKey claim);

    /**
     * Resets a claim that lost its volume to unbound, so that it gets another volume. The lost data stays lost. Call
     * this only when the volume will certainly not come back: if it comes back, the controller binds the claim to it
     * again by itself.
     *
     * <p>Fails as {@link #release} does. Also fails as <em>final</em> if the claim is not lost.
     */
    CompletableFuture<PersistentVolumeClaim> repairLost(ObjectKey claim);

    /**
     * Lists storage of backends that belongs to no claim and no volume of this cluster, for plugins that can list
     * their storage. The controller never deletes it, because another cluster may share the backend and use names of
     * the same form.
     */
    CompletableFuture<List<OrphanedStorage>> orphans();

    /**
     * Creates a PersistentVolume for orphaned storage, when a user knows what it is. With Retain the volume is free: a user can
     * inspect it, and give it to a claim with {@link #release}. With Delete the volume is Released. The controller then deletes its
     * storage as for every other volume: it writes a durable record and checks for users first. Refuses storage that is no longer
     * orphaned. With Delete it also refuses storage whose name does not contain the UID of a claim that no longer exists.
     *
     * @param policy Retain or Delete
     */
    CompletableFuture<PersistentVolume> adopt(OrphanedStorage orphan, ReclaimPolicy policy);
}
