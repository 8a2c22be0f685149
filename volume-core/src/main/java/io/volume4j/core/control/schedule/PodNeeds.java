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
 * What one pod asks of any node.
 *
 * @param podUid whose own uses are not in its way
 * @param everywhere refusals that no node can change
 * @param bound volumes that its claims have, or were promised
 * @param waiting claims that get their volume with the pod's node, the smallest first
 * @param attach what its node has to have attached, as far as it is known before the node is
 * @param disks that it names itself
 * @param drivers of its volumes, those that are still to be made included
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
     * @param storageClass whose volumes are made where their first pod is
     * @param node for which its volume is being made already, {@code ""} if it is not
     * @param reserved a volume that is reserved for it, null for none
     * @param tracked whether its driver publishes capacity
     * @param promised whether the capacity for it is promised already
     * @param places from where a new volume for it can be reached
     */
    record Waiting(
            PersistentVolumeClaim claim,
            ClaimNeeds needs,
            StorageClass storageClass,
            String node,
            @Nullable PersistentVolume reserved,
            boolean tracked,
            boolean promised,
            Places places) {}
}
