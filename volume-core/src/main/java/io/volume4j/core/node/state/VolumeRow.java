package io.volume4j.core.node.state;

import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.Growth;
import io.volume4j.core.node.MountState;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.PluginState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The known state of one volume on this node. The journal stores exactly these fields.
 *
 * @param specName the PersistentVolume's name, or the pod's name for an inline volume; for users
 * @param block whether pods get it as a raw device
 * @param metadata of the attach result
 * @param deviceInKernel whether the mount table contained the device mount after the call, so that its absence later
 *     matters
 * @param label the SELinux context of its mount, {@code ""} for none, null if it is unknown
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

    /** The row of a volume of which only that mount is known. */
    public static VolumeRow unknown(MountRow mount) {
        return unknown(mount.id(), mount.outerName(), mount.block());
    }

    /** Whether the row contains no more than the mount implies. */
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

    /** Whether the volume is certainly detached, and has certainly no device mount here. */
    boolean absent() {
        return attach == AttachState.DETACHED && device == MountState.NOT_MOUNTED;
    }
}
