package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;

/**
 * Takes away what a {@link Mounter} made.
 *
 * @since 0.1.0
 */
public interface Unmounter {
    /** Removes all traces at the target; absent is success. */
    void unmount(UnmountRequest request, CallContext context);

    /** What to remove from where. */
    record UnmountRequest(VolumeId volume, String podUid, String outerName, RootedPath target, PluginState state) {}
}
