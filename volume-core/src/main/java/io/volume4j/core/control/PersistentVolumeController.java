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
 * The life of claims and volumes on the control plane: binds claims to volumes, has volumes made for claims, and deletes,
 * empties or keeps volumes whose claims are gone. Everything is read from and written to the host's cluster; nothing has to
 * be called when objects change.
 *
 * <p>Thread-safe. Several may run over one cluster: with a {@link io.volume4j.spi.host.LeaderEpoch} one of them works and
 * the others stand by, and even without one no claim gets two volumes and no volume two claims, because the cluster's
 * compare-and-set decides.
 *
 * @since 0.1.0
 */
public interface PersistentVolumeController extends Controller {
    /** Begins a controller; see the builder for what it needs. */
    static PersistentVolumeControllerBuilder builder() {
        return new PersistentVolumeControllerBuilder();
    }

    /**
     * Completes with the volume when the claim of that name is bound, on a worker thread if one is to be had. The claim need
     * not exist yet. It never fails because of the claim, whose trouble may end; {@link #explain} tells of it. Closing fails
     * it with a transient VolumeException; cancelling it changes nothing but the future.
     */
    CompletableFuture<PersistentVolume> whenBound(ObjectKey claim);

    /**
     * The same, blocking for at most the timeout. The reconciling goes on after it.
     *
     * @throws VolumeException uncertain, if the claim is not bound in time, and the message explains why; as the future fails
     */
    PersistentVolume awaitBound(ObjectKey claim, Duration timeout);

    /**
     * Completes when the cluster certainly holds no claim or volume of that name any more, as when a claim was deleted and its
     * volume's storage reclaimed; on a worker thread if one is to be had. What never was there is gone. An object that cannot be
     * read is not gone. It never fails because of the object; {@link #explain} tells why it stays. Closing fails it with a
     * transient VolumeException; cancelling it changes nothing but the future.
     *
     * @throws IllegalArgumentException if it is no key of a claim or a volume
     */
    CompletableFuture<ObjectKey> whenGone(ObjectKey object);

    /**
     * Gives a volume that was kept when its claim went (policy Retain) to any claim that fits, with everything that is in
     * it. Reads the store, not a cache, and completes when the change is stored; the phase follows by itself.
     *
     * <p>Fails with a {@link VolumeException}: <em>final</em>, if there is no such volume, its policy is another, its claim
     * is still there, or it may be being deleted; <em>in use</em>, if it is attached or a pod uses it; <em>transient</em>,
     * if another writer changed it or the cluster does not answer.
     */
    CompletableFuture<PersistentVolume> release(String volumeName);

    /**
     * The same as {@link #release}, but reserves the volume for the claim of that name, which need not exist yet. The claim
     * gets it and no other, if it fits.
     */
    CompletableFuture<PersistentVolume> rebind(String volumeName, ObjectKey claim);

    /**
     * Makes a claim that lost its volume one that was never bound, so that it gets another one. What it lost stays lost: only
     * call it when that is certain, for a claim whose volume comes back is bound to it again by itself.
     *
     * <p>Fails as {@link #release} does; <em>final</em> also if the claim is not lost.
     */
    CompletableFuture<PersistentVolumeClaim> repairLost(ObjectKey claim);

    /**
     * Storage that backends hold and that no claim and no volume of this cluster tells of, as far as plugins can list what
     * they hold. It is told and never removed: another cluster may share the backend and name its volumes alike.
     */
    CompletableFuture<List<OrphanedStorage>> orphans();

    /**
     * Gives an orphan an object, because a person knows what it is: with Retain a free volume, to look at or to be given
     * away with {@link #release}; with Delete a released volume, whose storage is then deleted like that of every other, by a
     * durable record and after a look at its users. Refused for what is no orphan by now, and with Delete for storage whose name does
     * not tell the UID of a claim that is gone.
     *
     * @param policy Retain or Delete
     */
    CompletableFuture<PersistentVolume> adopt(OrphanedStorage orphan, ReclaimPolicy policy);
}
