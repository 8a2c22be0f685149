package io.volume4j.core.node.state;

import io.volume4j.core.node.MountState;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.PluginState;

/**
 * The known state of one volume's mount for one pod. The journal stores exactly these fields.
 *
 * @param outerName the pod's name for the volume, under which it is mounted; the first in the pod if it has several
 * @param block whether the pod has it as a raw device
 * @param inKernel whether the mount table contained it after the mount call
 * @param ids the ID mapping that the pod sees, {@code ""} for none
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
    /** A row without an ID mapping. */
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

    /** The row with this ID mapping, {@code ""} for none. */
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
