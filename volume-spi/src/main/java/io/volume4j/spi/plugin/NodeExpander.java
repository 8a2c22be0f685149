package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;
import org.jspecify.annotations.Nullable;

/** Makes what a node sees of an expanded volume larger: its device and its filesystem. */
public interface NodeExpander {
    /** Expands; as large already is success. In use means that it must be done unmounted. */
    NodeExpandResult expand(NodeExpandRequest request, CallContext context);

    /**
     * What to expand to what.
     *
     * @param deviceMountPath null for a block volume or a plugin without device mounts
     */
    record NodeExpandRequest(
            VolumeSpec spec,
            VolumeId volume,
            String devicePath,
            @Nullable RootedPath deviceMountPath,
            long newBytes,
            long oldBytes,
            PluginState state) {}

    /** What came of it. */
    record NodeExpandResult(long capacityBytes) {}
}
