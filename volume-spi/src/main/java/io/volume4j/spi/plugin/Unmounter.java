package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;

/**
 * Removes what a {@link Mounter} made.
 *
 * @since 0.1.0
 */
public interface Unmounter {
    /** Unmounts the volume and removes the target. Succeeds if it does not exist. */
    void unmount(UnmountRequest request, CallContext context);

    /** The volume to remove, and the target. */
    record UnmountRequest(VolumeId volume, String podUid, String outerName, RootedPath target, PluginState state) {}
}
