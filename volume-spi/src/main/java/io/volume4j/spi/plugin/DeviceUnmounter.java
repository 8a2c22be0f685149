package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;

/**
 * Removes what a {@link DeviceMounter} made.
 *
 * @since 0.1.0
 */
public interface DeviceUnmounter {
    /** Unmounts, and removes the mount point. Succeeds if nothing is mounted. */
    void unmountDevice(DeviceUnmountRequest request, CallContext context);

    /** The volume to unmount, and the target. */
    record DeviceUnmountRequest(VolumeId volume, String devicePath, RootedPath target, PluginState state) {}
}
