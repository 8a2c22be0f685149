package io.volume4j.core.worlds;

import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The volumes that pods want on a node. A host also states its direct wishes here.
 *
 * <p>There are two sources: the host's {@code ClusterSource}, and direct wishes. A manager may have one of them or
 * both. Direct wishes are for a host with jobs of its own, without claims and API objects. It calls {@link #put} for
 * each of its jobs, also after a restart, and then {@link #complete()}. Before that call the manager mounts volumes
 * but tears none down, because a wish may still be missing.
 *
 * <p>Thread-safe. The manager keeps direct wishes in memory only: the host's own store is their source of truth.
 *
 * @since 0.1.0
 */
public interface DesiredStateOfWorld {
    /** The current state. Takes time in proportion to the number of all volumes. */
    CompletableFuture<Reading> read();

    /**
     * Volumes that are not certainly mounted for each pod that wants them, in the order of their ids. Takes time in
     * proportion to the number of all volumes. Fails while the manager does not know what is mounted, as
     * {@link ActualStateOfWorld#whenEmpty} does.
     */
    CompletableFuture<List<NodeSnapshot.Desired>> volumesToMount();

    /** Whether the pod wants the volume. */
    CompletableFuture<Boolean> podWants(String podUid, VolumeId volume);

    /**
     * The volumes that the node reports as in use, sorted: attachable volumes that pods want, and volumes that are or
     * may be attached.
     */
    CompletableFuture<List<VolumeId>> volumesInUse();

    /**
     * States the volumes that the pod, or job, wants. They replace the previous wish for it. Equal wishes change
     * nothing. If the pod has other storage mounted under the name of a volume, it waits for the new storage until it
     * cannot use the old one any more. The host may call this before the manager is started.
     *
     * @param podUid identifies the job and names its directories. A file name of at most 128 letters, digits, dots,
     *     dashes and underscores. Unique over time: a new job must never get the UID of an old job
     * @throws IllegalArgumentException if the UID is not valid
     * @throws IllegalStateException if the manager was built with a cluster and without {@code directWishes()}
     */
    void put(String podUid, PodVolumes volumes);

    /**
     * Removes the wish of a pod, or job, that has ended. The manager then tears its volumes down. Returns false if
     * there was no wish for it.
     *
     * @throws IllegalStateException as {@link #put}
     */
    boolean remove(String podUid);

    /**
     * Says that the host has stated all its wishes. From now on the manager tears down volumes that no source wants.
     * Idempotent, and valid until the manager is closed.
     *
     * @throws IllegalStateException as {@link #put}
     */
    void complete();

    /**
     * The state at one moment. Immutable.
     *
     * @param revision two readings have the same revision only if they are equal. A later reading never has a smaller
     *     revision
     * @param clusterComplete whether all pods that the cluster assigns to the node are known; true if there is no
     *     cluster
     * @param directComplete whether {@link #complete()} was called; true if there are no direct wishes
     * @param volumes in the order of their ids
     * @param problems why volumes of pods could not be resolved, for people
     */
    record Reading(
            long revision,
            boolean clusterComplete,
            boolean directComplete,
            List<NodeSnapshot.Desired> volumes,
            List<String> problems) {
        public Reading {
            volumes = Collections.unmodifiableList(new ArrayList<>(volumes));
            problems = Collections.unmodifiableList(new ArrayList<>(problems));
        }

        /** Whether certainly no pod wants a volume that is not in this reading. */
        public boolean complete() {
            return clusterComplete && directComplete;
        }

        public Optional<NodeSnapshot.Desired> volume(VolumeId id) {
            return volumes.stream().filter(volume -> volume.volume().equals(id)).findFirst();
        }

        /** The volumes that the pod wants. */
        public List<NodeSnapshot.Desired> ofPod(String podUid) {
            return volumes.stream()
                    .filter(volume -> volume.pods().containsKey(podUid))
                    .toList();
        }
    }
}
