package io.volume4j.core.worlds;

import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Which pods want which volumes on a node, and the door for wishes that a host states directly.
 *
 * <p>There are two sources, alone or together: the host's {@code ClusterSource}, and direct wishes. A host with jobs of its own
 * and neither claims nor API objects states direct wishes: it says {@link #put} for each job that it has, also after a restart,
 * and then {@link #complete()}. Unknown is not unwanted: until then volumes are mounted, but none is taken down.
 *
 * <p>Thread-safe. Direct wishes are kept in memory only: the host's own store is their source of truth.
 *
 * @since 0.1.0
 */
public interface DesiredStateOfWorld {
    /** What is wanted now. Costs time in proportion to all volumes. */
    CompletableFuture<Reading> read();

    /** Volumes that a pod wants and that are not certainly mounted for each pod that wants them, in the order of their ids. */
    CompletableFuture<List<NodeSnapshot.Desired>> volumesToMount();

    /** Whether the pod wants the volume. */
    CompletableFuture<Boolean> podWants(String podUid, VolumeId volume);

    /** Attachable volumes that pods want or that are or may be attached: what the node reports as in use. Sorted. */
    CompletableFuture<List<VolumeId>> volumesInUse();

    /**
     * States what the pod, or job, wants, in place of all that was stated for it before. Equal wishes change nothing. May be
     * called before the manager is started.
     *
     * @param podUid names the job and its directories, so it must be a file name of at most 128 letters, digits, dots, dashes
     *     and underscores; unique over time, as a new job must not be taken for an old one
     * @throws IllegalArgumentException if the UID cannot be used
     * @throws IllegalStateException if the manager was built with a cluster and without {@code directWishes()}
     */
    void put(String podUid, PodVolumes volumes);

    /**
     * The pod, or job, has ended and wants nothing any more: its volumes are taken down. False if nothing was stated for it.
     *
     * @throws IllegalStateException as {@link #put}
     */
    boolean remove(String podUid);

    /**
     * All wishes of this host have been stated: from now on, volumes that no source wants are taken down. Idempotent; it stays
     * true until the manager is closed.
     *
     * @throws IllegalStateException as {@link #put}
     */
    void complete();

    /**
     * What is wanted at one moment. Immutable.
     *
     * @param revision the same as that of an earlier reading only if both are equal; later readings never have a smaller one
     * @param clusterComplete whether all pods that the cluster gives the node are known; true if there is no cluster
     * @param directComplete whether {@link #complete()} was called; true if there are no direct wishes
     * @param volumes in the order of their ids
     * @param problems what keeps volumes of pods from being known, for people
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

        /** Whether a volume that is not among these is certainly unwanted. */
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
