package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.RootedPath;
import org.jspecify.annotations.Nullable;

/**
 * Makes what a node sees of an expanded volume larger: its device and its filesystem.
 *
 * @since 0.1.0
 */
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

        /** To expand a volume that no pod has. */
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

    /** What came of it. */
    record NodeExpandResult(long capacityBytes) {}
}
