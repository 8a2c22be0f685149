package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.mount.RootedPath;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a volume appear to pods as a raw device.
 *
 * @since 0.1.0
 */
public interface BlockMapper {
    /** Prepares the device on the node, once for all its pods; prepared already is success. */
    MapDeviceResult mapDevice(MapDeviceRequest request, CallContext context);

    /** Prepares it for one pod; prepared already is success. Most plugins need nothing here. */
    default MapPodResult mapPod(MapPodRequest request, CallContext context) {
        return new MapPodResult("", PluginState.none());
    }

    /** Which device to prepare. */
    record MapDeviceRequest(
            VolumeSpec spec,
            VolumeId volume,
            String devicePath,
            Map<String, String> metadata,
            RootedPath stagingPath,
            PluginState state) {}

    /**
     * The device.
     *
     * @param devicePath {@code ""} for the one that was attached
     */
    record MapDeviceResult(String devicePath, PluginState state) {
        public MapDeviceResult {
            Objects.requireNonNull(devicePath, "devicePath");
        }
    }

    /**
     * Which pod to prepare it for.
     *
     * @param metadata of the attach result
     * @param stagingPath what {@link #mapDevice} was given, null if it was not called
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
        /** For plugins whose pods' devices need nothing of the attachment. */
        public MapPodRequest(
                VolumeSpec spec,
                VolumeId volume,
                Pod pod,
                String devicePath,
                RootedPath publishPath,
                PluginState state) {
            this(spec, volume, pod, devicePath, publishPath, state, Map.of(), null);
        }
    }

    /**
     * The device that the pod sees.
     *
     * @param devicePath {@code ""} for the node's
     */
    record MapPodResult(String devicePath, PluginState state) {
        public MapPodResult {
            Objects.requireNonNull(devicePath, "devicePath");
        }
    }
}
