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
     * Whether it can be done as soon as the volume's device is mounted or mapped. Otherwise pods get the volume as it is, and
     * it grows under them.
     */
    default boolean beforePods() {
        return true;
    }

    /**
     * What to expand to what.
     *
     * @param deviceMountPath null for a plugin without device mounts; of a raw device where {@link
     *     BlockMapper.MapDeviceRequest} let it be prepared
     * @param podPath where one of the volume's pods has it, null if none has; of a raw device where {@link
     *     BlockMapper.MapPodRequest} let it be made for the pod
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
