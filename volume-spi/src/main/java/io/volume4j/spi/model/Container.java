package io.volume4j.spi.model;

import java.util.List;
import java.util.Map;

/**
 * A container, as far as volumes are concerned.
 *
 * @param requests resources asked for, by name ({@code memory}, {@code hugepages-2Mi}, …)
 * @param limits resources that it may not exceed, by name
 * @since 0.1.0
 */
public record Container(
        String name,
        List<VolumeMount> volumeMounts,
        List<VolumeDevice> volumeDevices,
        Map<String, Quantity> requests,
        Map<String, Quantity> limits) {
    public Container {
        name = Copies.text(name);
        volumeMounts = Copies.list(volumeMounts);
        volumeDevices = Copies.list(volumeDevices);
        requests = Copies.map(requests);
        limits = Copies.map(limits);
    }

    /**
     * Files of a volume inside the container.
     *
     * @param subPath path within the volume, {@code ""} for its root
     * @param subPathExpr the same with references to the container's environment, {@code ""} for none; a caller that knows that
     *     environment writes the result to {@code subPath} and leaves this empty
     * @param mountPropagation {@code None}, {@code HostToContainer} or {@code Bidirectional}
     * @param recursiveReadOnly {@code Disabled}, {@code IfPossible} or {@code Enabled}
     */
    public record VolumeMount(
            String name,
            String mountPath,
            String subPath,
            String subPathExpr,
            boolean readOnly,
            String mountPropagation,
            String recursiveReadOnly) {
        /** Without a {@code subPathExpr}. */
        public VolumeMount(
                String name,
                String mountPath,
                String subPath,
                boolean readOnly,
                String mountPropagation,
                String recursiveReadOnly) {
            this(name, mountPath, subPath, "", readOnly, mountPropagation, recursiveReadOnly);
        }

        public VolumeMount {
            name = Copies.text(name);
            mountPath = Copies.text(mountPath);
            subPath = Copies.text(subPath);
            subPathExpr = Copies.text(subPathExpr);
            mountPropagation = Copies.text(mountPropagation);
            recursiveReadOnly = Copies.text(recursiveReadOnly);
        }
    }

    /** A volume inside the container as a raw device. */
    public record VolumeDevice(String name, String devicePath) {
        public VolumeDevice {
            name = Copies.text(name);
            devicePath = Copies.text(devicePath);
        }
    }
}
