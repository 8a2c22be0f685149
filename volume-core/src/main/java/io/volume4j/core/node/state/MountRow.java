package io.volume4j.core.node.state;

import io.volume4j.core.node.MountState;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.PluginState;

/**
 * What is known of one volume's mount for one pod; as it is in memory, so it is in the journal.
 *
 * @param outerName the pod's name for the volume, under which it is mounted; with several, the first in the pod
 * @param block whether the pod has it as a raw device
 * @param inKernel whether it was seen in the mount table when it was made
 * @param ids with which IDs the pod sees it, {@code ""} as they are
 */
public record MountRow(
        VolumeId id,
        String podUid,
        String podNamespace,
        String podName,
        String outerName,
        boolean block,
        MountState state,
        boolean inKernel,
        boolean readOnly,
        PluginState data,
        String ids) {
    /** With IDs as they are. */
    public MountRow(
            VolumeId id,
            String podUid,
            String podNamespace,
            String podName,
            String outerName,
            boolean block,
            MountState state,
            boolean inKernel,
            boolean readOnly,
            PluginState data) {
        this(id, podUid, podNamespace, podName, outerName, block, state, inKernel, readOnly, data, "");
    }

    public MountRow withState(MountState newState) {
        return newState == state
                ? this
                : new MountRow(
                        id, podUid, podNamespace, podName, outerName, block, newState, inKernel, readOnly, data, ids);
    }

    /** Seen by the pod with these IDs, or as they are again. */
    public MountRow withIds(String mapping) {
        return mapping.equals(ids)
                ? this
                : new MountRow(
                        id, podUid, podNamespace, podName, outerName, block, state, inKernel, readOnly, data, mapping);
    }

    public MountRow mounted(boolean seenInKernel, PluginState newData) {
        return new MountRow(
                id,
                podUid,
                podNamespace,
                podName,
                outerName,
                block,
                MountState.MOUNTED,
                seenInKernel,
                readOnly,
                newData,
                ids);
    }

    public String pod() {
        return podNamespace + "/" + podName;
    }
}
