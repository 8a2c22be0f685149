package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;

/**
 * Takes away what a {@link BlockMapper} made.
 *
 * @since 0.1.0
 */
public interface BlockUnmapper {
    /** Undoes {@link BlockMapper#mapPod}; absent is success. */
    default void unmapPod(UnmapPodRequest request, CallContext context) {}

    /** Undoes {@link BlockMapper#mapDevice}; absent is success. */
    void unmapDevice(UnmapDeviceRequest request, CallContext context);

    /** Which pod's device to remove. */
    record UnmapPodRequest(VolumeId volume, String podUid, RootedPath publishPath, PluginState state) {}

    /** Which device to remove. */
    record UnmapDeviceRequest(VolumeId volume, String devicePath, RootedPath stagingPath, PluginState state) {}
}
