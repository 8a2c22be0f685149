package io.volume4j.spi.model;

import io.volume4j.spi.model.Pod.SeLinuxOptions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A container, with the fields that concern volumes.
 *
 * @param requests requested resources, by name ({@code memory}, {@code hugepages-2Mi}, …)
 * @param limits resources that it may not exceed, by name
 * @param seLinuxOptions the SELinux label of its processes, null for the label of the pod
 * @param restartPolicy {@code Always} for an init container that runs beside the containers after it (a sidecar);
 *     {@code ""} for the policy of the pod
 * @param runAsUser the user ID of its processes, null for that of the pod
 * @since 0.1.0
 */
public record Container(
        String name,
        List<VolumeMount> volumeMounts,
        List<VolumeDevice> volumeDevices,
        Map<String, Quantity> requests,
        Map<String, Quantity> limits,
        @Nullable SeLinuxOptions seLinuxOptions,
        String restartPolicy,
        @Nullable Long runAsUser) {
    private static final String ALWAYS = "Always";

    /** A container with the user of its pod. */
    public Container(
            String name,
            List<VolumeMount> volumeMounts,
            List<VolumeDevice> volumeDevices,
            Map<String, Quantity> requests,
            Map<String, Quantity> limits,
            @Nullable SeLinuxOptions seLinuxOptions,
            String restartPolicy) {
        this(name, volumeMounts, volumeDevices, requests, limits, seLinuxOptions, restartPolicy, null);
    }

    /** A container with the restart policy of its pod. */
    public Container(
            String name,
            List<VolumeMount> volumeMounts,
            List<VolumeDevice> volumeDevices,
            Map<String, Quantity> requests,
            Map<String, Quantity> limits,
            @Nullable SeLinuxOptions seLinuxOptions) {
        this(name, volumeMounts, volumeDevices, requests, limits, seLinuxOptions, "");
    }

    /** A container with the SELinux label of its pod. */
    public Container(
            String name,
            List<VolumeMount> volumeMounts,
            List<VolumeDevice> volumeDevices,
            Map<String, Quantity> requests,
            Map<String, Quantity> limits) {
        this(name, volumeMounts, volumeDevices, requests, limits, null);
    }

    public Container {
        name = Copies.text(name);
        volumeMounts = Copies.list(volumeMounts);
        volumeDevices = Copies.list(volumeDevices);
        requests = Copies.map(requests);
        limits = Copies.map(limits);
        restartPolicy = Copies.text(restartPolicy);
    }

    /** Whether the container, if it is an init container, runs beside the containers after it. */
    public boolean alwaysRestarts() {
        return restartPolicy.equals(ALWAYS);
    }

    /** A builder for a container without volumes, requests and limits. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(name);
        builder.volumeMounts = volumeMounts;
        builder.volumeDevices = volumeDevices;
        builder.requests = requests;
        builder.limits = limits;
        builder.seLinuxOptions = seLinuxOptions;
        builder.restartPolicy = restartPolicy;
        builder.runAsUser = runAsUser;
        return builder;
    }

    /** Builds a {@link Container}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private String name;
        private List<VolumeMount> volumeMounts = List.of();
        private List<VolumeDevice> volumeDevices = List.of();
        private Map<String, Quantity> requests = Map.of();
        private Map<String, Quantity> limits = Map.of();
        private @Nullable SeLinuxOptions seLinuxOptions;
        private String restartPolicy = "";
        private @Nullable Long runAsUser;

        private Builder(String name) {
            this.name = name;
        }

        public Builder name(String value) {
            name = value;
            return this;
        }

        public Builder volumeMounts(List<VolumeMount> value) {
            volumeMounts = value;
            return this;
        }

        public Builder volumeDevices(List<VolumeDevice> value) {
            volumeDevices = value;
            return this;
        }

        public Builder requests(Map<String, Quantity> value) {
            requests = value;
            return this;
        }

        public Builder limits(Map<String, Quantity> value) {
            limits = value;
            return this;
        }

        public Builder seLinuxOptions(@Nullable SeLinuxOptions value) {
            seLinuxOptions = value;
            return this;
        }

        public Builder restartPolicy(String value) {
            restartPolicy = value;
            return this;
        }

        public Builder runAsUser(@Nullable Long value) {
            runAsUser = value;
            return this;
        }

        public Container build() {
            return new Container(
                    name, volumeMounts, volumeDevices, requests, limits, seLinuxOptions, restartPolicy, runAsUser);
        }
    }

    /**
     * A mount of a volume's files inside the container.
     *
     * @param subPath path within the volume, {@code ""} for its root
     * @param subPathExpr a path with references to the container's environment variables, {@code ""} for none. A caller
     *     that knows the environment writes the expanded path to {@code subPath} and leaves this empty
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
        /** A mount without a {@code subPathExpr}. */
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

        /** A builder for a writable mount of the whole volume. */
        public static Builder builder(String name, String mountPath) {
            return new Builder(name, mountPath);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(name, mountPath);
            builder.subPath = subPath;
            builder.subPathExpr = subPathExpr;
            builder.readOnly = readOnly;
            builder.mountPropagation = mountPropagation;
            builder.recursiveReadOnly = recursiveReadOnly;
            return builder;
        }

        /** Builds a {@link VolumeMount}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private String name;
            private String mountPath;
            private String subPath = "";
            private String subPathExpr = "";
            private boolean readOnly;
            private String mountPropagation = "";
            private String recursiveReadOnly = "";

            private Builder(String name, String mountPath) {
                this.name = name;
                this.mountPath = mountPath;
            }

            public Builder name(String value) {
                name = value;
                return this;
            }

            public Builder mountPath(String value) {
                mountPath = value;
                return this;
            }

            public Builder subPath(String value) {
                subPath = value;
                return this;
            }

            public Builder subPathExpr(String value) {
                subPathExpr = value;
                return this;
            }

            public Builder readOnly(boolean value) {
                readOnly = value;
                return this;
            }

            public Builder mountPropagation(String value) {
                mountPropagation = value;
                return this;
            }

            public Builder recursiveReadOnly(String value) {
                recursiveReadOnly = value;
                return this;
            }

            public VolumeMount build() {
                return new VolumeMount(
                        name, mountPath, subPath, subPathExpr, readOnly, mountPropagation, recursiveReadOnly);
            }
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
