package io.volume4j.core.node;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.PluginState;
import java.util.Map;

/**
 * What is known of one volume on this node; as it is in memory, so it is in the journal.
 *
 * @param specName the PersistentVolume's name, or the pod's name for an inline volume; for people
 * @param metadata of the attach result
 * @param deviceInKernel whether the device mount was seen in the mount table when it was made, so that its absence there
 *     later means something
 */
record VolumeRow(
        VolumeId id,
        String specName,
        AttachState attach,
        String devicePath,
        Map<String, String> metadata,
        PluginState attachData,
        MountState device,
        boolean deviceInKernel,
        PluginState deviceData) {

    static VolumeRow unknown(VolumeId id, String specName) {
        return new VolumeRow(
                id,
                specName,
                AttachState.DETACHED,
                "",
                Map.of(),
                PluginState.none(),
                MountState.NOT_MOUNTED,
                false,
                PluginState.none());
    }

    VolumeRow withAttach(AttachState state) {
        return new VolumeRow(id, specName, state, devicePath, metadata, attachData, device, deviceInKernel, deviceData);
    }

    VolumeRow attached(String path, Map<String, String> data, PluginState state) {
        return new VolumeRow(id, specName, AttachState.ATTACHED, path, data, state, device, deviceInKernel, deviceData);
    }

    VolumeRow detached() {
        return new VolumeRow(
                id,
                specName,
                AttachState.DETACHED,
                "",
                Map.of(),
                PluginState.none(),
                device,
                deviceInKernel,
                deviceData);
    }

    VolumeRow withDevice(MountState state) {
        return new VolumeRow(id, specName, attach, devicePath, metadata, attachData, state, deviceInKernel, deviceData);
    }

    VolumeRow deviceMounted(boolean inKernel, PluginState state) {
        return new VolumeRow(
                id, specName, attach, devicePath, metadata, attachData, MountState.MOUNTED, inKernel, state);
    }

    /** Whether nothing of the volume itself is or may be here. */
    boolean absent() {
        return attach == AttachState.DETACHED && device == MountState.NOT_MOUNTED;
    }
}
