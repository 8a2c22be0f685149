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
     * Whether it can be done while pods have the volume. Otherwise it is done between the device mount and the first pod's
     * mount.
     */
    default boolean online() {
        return true;
    }

    /**
     * What to expand to what.
     *
     * @param deviceMountPath null for a block volume or a plugin without device mounts
     * @param podPath where one of the volume's pods has it, null if none has
     */
    record NodeExpandRequest(
            VolumeSpec spec,
            VolumeId volume,
            String devicePath,
            @Nullable RootedPath deviceMountPath,
            long newBytes,
            long oldBytes,
            PluginState state,
            @Nullable RootedPath podPath) {
        /** Of a volume that no pod has. */
        public NodeExpandRequest(
                VolumeSpec spec,
                VolumeId volume,
                String devicePath,
                @Nullable RootedPath deviceMountPath,
                long newBytes,
                long oldBytes,
                PluginState state) {
            this(spec, volume, devicePath, deviceMountPath, newBytes, oldBytes, state, null);
        }
    }

    /** What came of it. */
    record NodeExpandResult(long capacityBytes) {}
}
