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
        PluginState data) {

    public MountRow withState(MountState newState) {
        return new MountRow(id, podUid, podNamespace, podName, outerName, block, newState, inKernel, readOnly, data);
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
                newData);
    }

    public String pod() {
        return podNamespace + "/" + podName;
    }
}
