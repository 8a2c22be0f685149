package io.volume4j.core.node.state;

import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.Growth;
import io.volume4j.core.node.MountState;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.PluginState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one volume on this node; as it is in memory, so it is in the journal.
 *
 * @param specName the PersistentVolume's name, or the pod's name for an inline volume; for people
 * @param block whether pods get it as a raw device
 * @param metadata of the attach result
 * @param deviceInKernel whether the device mount was seen in the mount table when it was made, so that its absence there
 *     later means something
 * @param label the SELinux context that it was mounted with, {@code ""} for none, null if that is not known
 */
public record VolumeRow(
        VolumeId id,
        String specName,
        boolean block,
        AttachState attach,
        String devicePath,
        Map<String, String> metadata,
        PluginState attachData,
        MountState device,
        boolean deviceInKernel,
        PluginState deviceData,
        @Nullable String label,
        Growth growth) {

    public static VolumeRow unknown(VolumeId id, String specName, boolean block) {
        return new VolumeRow(
                id,
                specName,
                block,
                AttachState.DETACHED,
                "",
                Map.of(),
                PluginState.none(),
                MountState.NOT_MOUNTED,
                false,
                PluginState.none(),
                null,
                Growth.unknown());
    }

    /** Of a volume of which only that mount is known. */
    public static VolumeRow unknown(MountRow mount) {
        return unknown(mount.id(), mount.outerName(), mount.block());
    }

    /** Whether the row could be made from the mount alone. */
    public boolean saysNoMoreThan(MountRow mount) {
        return absent() && specName.equals(mount.outerName()) && equals(unknown(mount));
    }

    public VolumeRow withBlock(boolean asDevice) {
        return asDevice == block
                ? this
                : new VolumeRow(
                        id,
                        specName,
                        asDevice,
                        attach,
                        devicePath,
                        metadata,
                        attachData,
                        device,
                        deviceInKernel,
                        deviceData,
                        label,
                        growth);
    }

    public VolumeRow withAttach(AttachState state) {
        return attachment(state, devicePath, metadata, attachData);
    }

    public VolumeRow attached(String path, Map<String, String> data, PluginState state) {
        return attachment(AttachState.ATTACHED, path, data, state);
    }

    public VolumeRow detached() {
        return attachment(AttachState.DETACHED, "", Map.of(), PluginState.none());
    }

    private VolumeRow attachment(AttachState state, String path, Map<String, String> data, PluginState plugin) {
        return new VolumeRow(
                id, specName, block, state, path, data, plugin, device, deviceInKernel, deviceData, label, growth);
    }

    public VolumeRow withDevice(MountState state) {
        return device(state, deviceInKernel, deviceData, state == MountState.NOT_MOUNTED ? null : label);
    }

    public VolumeRow deviceMounted(boolean inKernel, PluginState state, @Nullable String withLabel) {
        return device(MountState.MOUNTED, inKernel, state, withLabel);
    }

    public VolumeRow withLabel(@Nullable String newLabel) {
        return device(device, deviceInKernel, deviceData, newLabel);
    }

    private VolumeRow device(MountState state, boolean inKernel, PluginState plugin, @Nullable String newLabel) {
        return new VolumeRow(
                id,
                specName,
                block,
                attach,
                devicePath,
                metadata,
                attachData,
                state,
                inKernel,
                plugin,
                newLabel,
                growth);
    }

    public VolumeRow withGrowth(Growth newGrowth) {
        return new VolumeRow(
                id,
                specName,
                block,
                attach,
                devicePath,
                metadata,
                attachData,
                device,
                deviceInKernel,
                deviceData,
                label,
                newGrowth);
    }

    /** Whether nothing of the volume itself is or may be here. */
    boolean absent() {
        return attach == AttachState.DETACHED && device == MountState.NOT_MOUNTED;
    }
}
