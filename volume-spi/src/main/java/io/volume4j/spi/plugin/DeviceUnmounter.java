package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;

/**
 * Takes away what a {@link DeviceMounter} made.
 *
 * @since 0.1.0
 */
public interface DeviceUnmounter {
    /** Unmounts and removes the mount point; not mounted is success. */
    void unmountDevice(DeviceUnmountRequest request, CallContext context);

    /** What to unmount from where. */
    record DeviceUnmountRequest(VolumeId volume, String devicePath, RootedPath target, PluginState state) {}
}
