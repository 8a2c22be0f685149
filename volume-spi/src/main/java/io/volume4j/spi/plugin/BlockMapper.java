package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.RootedPath;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives a volume to pods as a raw device.
 *
 * @since 0.1.0
 */
public interface BlockMapper {
    /** Prepares the device on the node, once for all its pods. Idempotent. */
    MapDeviceResult mapDevice(MapDeviceRequest request, CallContext context);

    /**
     * Prepares the device for one pod. Idempotent. Most plugins need no implementation; the default returns the
     * node's device.
     */
    default MapPodResult mapPod(MapPodRequest request, CallContext context) {
        return new MapPodResult("", PluginState.none());
    }

    /** The device to prepare. */
    record MapDeviceRequest(
            VolumeSpec spec,
            VolumeId volume,
            String devicePath,
            Map<String, String> metadata,
            RootedPath stagingPath,
            PluginState state) {
        /** A builder for a volume that was not attached. */
        public static Builder builder(VolumeSpec spec, VolumeId volume, RootedPath stagingPath) {
            return new Builder(spec, volume, stagingPath);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(spec, volume, stagingPath);
            builder.devicePath = devicePath;
            builder.metadata = metadata;
            builder.state = state;
            return builder;
        }

        /** Builds a {@link MapDeviceRequest}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private VolumeSpec spec;
            private VolumeId volume;
            private String devicePath = "";
            private Map<String, String> metadata = Map.of();
            private RootedPath stagingPath;
            private PluginState state = PluginState.none();

            private Builder(VolumeSpec spec, VolumeId volume, RootedPath stagingPath) {
                this.spec = spec;
                this.volume = volume;
                this.stagingPath = stagingPath;
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

            public Builder metadata(Map<String, String> value) {
                metadata = value;
                return this;
            }

            public Builder stagingPath(RootedPath value) {
                stagingPath = value;
                return this;
            }

            public Builder state(PluginState value) {
                state = value;
                return this;
            }

            public MapDeviceRequest build() {
                return new MapDeviceRequest(spec, volume, devicePath, metadata, stagingPath, state);
            }
        }
    }

    /**
     * The prepared device.
     * @param devicePath {@code ""} for the device that was attached
     */
    record MapDeviceResult(String devicePath, PluginState state) {
        public MapDeviceResult {
            Objects.requireNonNull(devicePath, "devicePath");
        }
    }

    /**
     * The pod to prepare the device for.
     *
     * @param metadata of the attach result
     * @param stagingPath the staging path of the {@link #mapDevice} call, null if the library did not make that call
     */
    record MapPodRequest(
            VolumeSpec spec,
            VolumeId volume,
            Pod pod,
            String devicePath,
            RootedPath publishPath,
            PluginState state,
            Map<String, String> metadata,
            @Nullable RootedPath stagingPath) {
        /** A request without attach metadata and without a staging path. */
        public MapPodRequest(
                VolumeSpec spec,
                VolumeId volume,
                Pod pod,
                String devicePath,
                RootedPath publishPath,
                PluginState state) {
            this(spec, volume, pod, devicePath, publishPath, state, Map.of(), null);
        }

        /** A builder for a volume that was not attached and whose device was not prepared. */
        public static Builder builder(VolumeSpec spec, VolumeId volume, Pod pod, RootedPath publishPath) {
            return new Builder(spec, volume, pod, publishPath);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(spec, volume, pod, publishPath);
            builder.devicePath = devicePath;
            builder.state = state;
            builder.metadata = metadata;
            builder.stagingPath = stagingPath;
            return builder;
        }

        /** Builds a {@link MapPodRequest}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private VolumeSpec spec;
            private VolumeId volume;
            private Pod pod;
            private String devicePath = "";
            private RootedPath publishPath;
            private PluginState state = PluginState.none();
            private Map<String, String> metadata = Map.of();
            private @Nullable RootedPath stagingPath;

            private Builder(VolumeSpec spec, VolumeId volume, Pod pod, RootedPath publishPath) {
                this.spec = spec;
                this.volume = volume;
                this.pod = pod;
                this.publishPath = publishPath;
            }

            public Builder spec(VolumeSpec value) {
                spec = value;
                return this;
            }

            public Builder volume(VolumeId value) {
                volume = value;
                return this;
            }

            public Builder pod(Pod value) {
                pod = value;
                return this;
            }

            public Builder devicePath(String value) {
                devicePath = value;
                return this;
            }

            public Builder publishPath(RootedPath value) {
                publishPath = value;
                return this;
            }

            public Builder state(PluginState value) {
                state = value;
                return this;
            }

            public Builder metadata(Map<String, String> value) {
                metadata = value;
                return this;
            }

            public Builder stagingPath(@Nullable RootedPath value) {
                stagingPath = value;
                return this;
            }

            public MapPodRequest build() {
                return new MapPodRequest(spec, volume, pod, devicePath, publishPath, state, metadata, stagingPath);
            }
        }
    }

    /**
     * The device that the pod sees.
     *
     * @param devicePath {@code ""} for the device of the node
     */
    record MapPodResult(String devicePath, PluginState state) {
        public MapPodResult {
            Objects.requireNonNull(devicePath, "devicePath");
        }
    }
}
