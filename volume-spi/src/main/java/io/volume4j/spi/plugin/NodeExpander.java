package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;
import org.jspecify.annotations.Nullable;

/**
 * Expands a volume's device and filesystem on a node, after the backend has expanded the volume.
 *
 * @since 0.1.0
 */
public interface NodeExpander {
    /** Expands the volume on the node. Succeeds if it is already that large. */
    NodeExpandResult expand(NodeExpandRequest request, CallContext context);

    /**
     * Whether the plugin can expand the volume while pods use it. Otherwise the library calls {@link #expand} between
     * the device mount and the first pod's mount.
     */
    default boolean online() {
        return true;
    }

    /**
     * Whether the plugin can expand the volume as soon as its device is mounted or mapped. Otherwise pods get the
     * volume with its old size, and the library expands it while they use it.
     */
    default boolean beforePods() {
        return true;
    }

    /**
     * The volume to expand, and its new and old size in bytes.
     *
     * @param deviceMountPath the device mount, null for a plugin without device mounts; for a raw device, the staging
     *     path of {@link BlockMapper.MapDeviceRequest}
     * @param podPath the path of the volume in one of its pods, null if no pod has it; for a raw device, the publish
     *     path of {@link BlockMapper.MapPodRequest}
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
        /** A request for a volume that no pod has. */
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

        /** A builder for a volume that no pod has. */
        public static Builder builder(VolumeSpec spec, VolumeId volume, long newBytes) {
            return new Builder(spec, volume, newBytes);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(spec, volume, newBytes);
            builder.devicePath = devicePath;
            builder.deviceMountPath = deviceMountPath;
            builder.oldBytes = oldBytes;
            builder.state = state;
            builder.podPath = podPath;
            return builder;
        }

        /** Builds a {@link NodeExpandRequest}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private VolumeSpec spec;
            private VolumeId volume;
            private String devicePath = "";
            private @Nullable RootedPath deviceMountPath;
            private long newBytes;
            private long oldBytes;
            private PluginState state = PluginState.none();
            private @Nullable RootedPath podPath;

            private Builder(VolumeSpec spec, VolumeId volume, long newBytes) {
                this.spec = spec;
                this.volume = volume;
                this.newBytes = newBytes;
            }

            public Builder spec(VolumeSpec value) {
                spec = value;
                return this;
            }

            public Builder volume(VolumeId value) {
                volume = value;
                return this;
            }

            public Builder devicePath(String value) {
                devicePath = value;
                return this;
            }

            public Builder deviceMountPath(@Nullable RootedPath value) {
                deviceMountPath = value;
                return this;
            }

            public Builder newBytes(long value) {
                newBytes = value;
                return this;
            }

            public Builder oldBytes(long value) {
                oldBytes = value;
                return this;
            }

            public Builder state(PluginState value) {
                state = value;
                return this;
            }

            public Builder podPath(@Nullable RootedPath value) {
                podPath = value;
                return this;
            }

            public NodeExpandRequest build() {
                return new NodeExpandRequest(
                        spec, volume, devicePath, deviceMountPath, newBytes, oldBytes, state, podPath);
            }
        }
    }

    /** The result of an expansion on a node: the new size in bytes. */
    record NodeExpandResult(long capacityBytes) {}
}
