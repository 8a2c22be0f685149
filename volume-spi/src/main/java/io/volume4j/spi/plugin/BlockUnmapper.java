package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;

/**
 * Removes what a {@link BlockMapper} made.
 *
 * @since 0.1.0
 */
public interface BlockUnmapper {
    /** Undoes {@link BlockMapper#mapPod}. Succeeds if there is nothing to undo. */
    default void unmapPod(UnmapPodRequest request, CallContext context) {}

    /** Undoes {@link BlockMapper#mapDevice}. Succeeds if there is nothing to undo. */
    void unmapDevice(UnmapDeviceRequest request, CallContext context);

    /** The pod whose device the plugin removes. */
    record UnmapPodRequest(VolumeId volume, String podUid, RootedPath publishPath, PluginState state) {}

    /** The device to remove. */
    record UnmapDeviceRequest(VolumeId volume, String devicePath, RootedPath stagingPath, PluginState state) {}
}
