package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.core.volumes.VolumeRefusal;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.plugin.Places;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requirements of one pod for any node.
 *
 * @param podUid the pod, whose own uses are ignored
 * @param everywhere refusals on every node
 * @param bound volumes of its claims, bound or promised
 * @param waiting claims that get their volume together with the pod's node, the smallest first
 * @param attach the volumes that its node must attach, as far as they are known before the node
 * @param disks in its spec
 * @param drivers of its volumes, including volumes that are still to be made
 */
record PodNeeds(
        String podUid,
        List<VolumeRefusal> everywhere,
        List<PersistentVolume> bound,
        List<Waiting> waiting,
        List<AttachUse.Volume> attach,
        List<Disks.Use> disks,
        Set<String> drivers) {

    /**
     * A claim that waits for the pod's node.
     *
     * @param storageClass of the claim, which waits for the first consumer
     * @param node the node for which its volume is being made already, {@code ""} for none
     * @param reserved a volume that is reserved for it, null for none
     * @param tracked whether its driver publishes capacity
     * @param promised whether the capacity for it is promised already
     * @param places from which a new volume for it is accessible
     */
    record Waiting(
            PersistentVolumeClaim claim,
            ClaimNeeds needs,
            StorageClass storageClass,
            String node,
            @Nullable PersistentVolume reserved,
            boolean tracked,
            boolean promised,
            Places places) {
        /** Whether the claim gets the reserved volume, and no other one. */
        boolean takesReserved() {
            return reserved != null && node.isEmpty();
        }
    }
}
