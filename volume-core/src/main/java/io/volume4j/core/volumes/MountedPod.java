package io.volume4j.core.volumes;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.BindOptions.Propagation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pod with its mounted volumes. Immutable.
 *
 * @param volumes by the pod's name for them, in the pod's order
 * @param containers the mounts of each container, by the container's name; init containers first, ephemeral
 *     containers last. Volumes that are not mounted are missing
 * @param supplementalGroups groups that the pod's processes need for its volumes, without those in the pod's own
 *     manifest
 * @since 0.1.0
 */
public record MountedPod(
        String podUid,
        Map<String, MountedVolume> volumes,
        Map<String, ContainerVolumes> containers,
        List<Long> supplementalGroups) {
    public MountedPod {
        volumes = Collections.unmodifiableMap(new LinkedHashMap<>(volumes));
        containers = Collections.unmodifiableMap(new LinkedHashMap<>(containers));
        supplementalGroups = Collections.unmodifiableList(new ArrayList<>(supplementalGroups));
    }

    /** The mounts of the container; empty for a container that the pod does not have. */
    public ContainerVolumes container(String name) {
        return containers.getOrDefault(name, new ContainerVolumes(List.of(), List.of()));
    }

    /**
     * One mounted volume.
     * @param specName the PersistentVolume's name, or the pod's name for an inline volume
     * @param path the path of its files or of its device on this machine
     * @param sizeLimitBytes the maximum size of an emptyDir, from its own limit and its pod's, 0 for none. The kernel
     *     enforces the limit in memory and huge pages. On the node's disk, the program that started the pod must
     *     enforce it, as a kubelet does by eviction
     * @param byRuntime whether the container runtime itself mounts the files, for example of an image; then nothing
     *     is at the path
     * @param imageRef the container image of the volume, with its digest, for the status of the containers that mount
     *     it. {@code ""} for a volume without an image, and if the image or the pod is unknown
     */
    public record MountedVolume(
            VolumeId id,
            String specName,
            Path path,
            boolean readOnly,
            long sizeLimitBytes,
            boolean byRuntime,
            String imageRef) {
        /** A volume that the library mounted and that is not an image. */
        public MountedVolume(VolumeId id, String specName, Path path, boolean readOnly, long sizeLimitBytes) {
            this(id, specName, path, readOnly, sizeLimitBytes, false, "");
        }
    }

    /**
     * The volumes of one container, in the order of its manifest.
     *
     * @param problem why some of its volumes are not available, {@code ""} if all are. Only ephemeral containers have a
     *     problem: if a volume of another container is not available, the whole pod is not mounted
     */
    public record ContainerVolumes(List<ContainerMount> mounts, List<ContainerDevice> devices, String problem) {
        /** The volumes of a container without a problem. */
        public ContainerVolumes(List<ContainerMount> mounts, List<ContainerDevice> devices) {
            this(mounts, devices, "");
        }

        public ContainerVolumes {
            mounts = Collections.unmodifiableList(new ArrayList<>(mounts));
            devices = Collections.unmodifiableList(new ArrayList<>(devices));
        }
    }

    /**
     * A mount of a volume's files in a container. The program that starts the container makes the bind mount, with
     * {@link #bindOptions()}.
     *
     * @param volume the pod's name for the volume
     * @param hostPath the path of the files on this machine, with the subPath
     * @param containerPath the path in the container
     * @param readOnly whether the mount is read-only for this container
     * @param recursiveReadOnly whether the mounts below it must be read-only too
     * @param propagation how later mounts below it propagate between machine and container
     * @param runtimeSubPath the subPath of a volume that the container runtime mounts, {@code ""} for the whole volume.
     *     {@code ""} for other volumes, whose subPath is part of {@code hostPath}
     */
    public record ContainerMount(
            String volume,
            Path hostPath,
            String containerPath,
            boolean readOnly,
            boolean recursiveReadOnly,
            Propagation propagation,
            String runtimeSubPath) {
        /** A mount of files that the library mounted. */
        public ContainerMount(
                String volume,
                Path hostPath,
                String containerPath,
                boolean readOnly,
                boolean recursiveReadOnly,
                Propagation propagation) {
            this(volume, hostPath, containerPath, readOnly, recursiveReadOnly, propagation, "");
        }

        /**
         * The value of {@code recursiveReadOnly} for the status of the container's mount: {@code Enabled} or
         * {@code Disabled}. {@code ""} for a writable mount, whose status omits the field.
         */
        public String recursiveReadOnlyStatus() {
            if (!readOnly) {
                return "";
            }
            return recursiveReadOnly ? "Enabled" : "Disabled";
        }

        /**
         * The options of the bind mount. The bind includes the mounts below the source, unless they would be writable
         * in a read-only mount.
         */
        public BindOptions bindOptions() {
            return new BindOptions(readOnly, !readOnly || recursiveReadOnly, propagation);
        }

        /** A builder for a writable mount, without propagation of later mounts. */
        public static Builder builder(String volume, Path hostPath, String containerPath) {
            return new Builder(volume, hostPath, containerPath);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(volume, hostPath, containerPath);
            builder.readOnly = readOnly;
            builder.recursiveReadOnly = recursiveReadOnly;
            builder.propagation = propagation;
            builder.runtimeSubPath = runtimeSubPath;
            return builder;
        }

        /** Builds a {@link ContainerMount}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private String volume;
            private Path hostPath;
            private String containerPath;
            private boolean readOnly;
            private boolean recursiveReadOnly;
            private Propagation propagation = Propagation.PRIVATE;
            private String runtimeSubPath = "";

            private Builder(String volume, Path hostPath, String containerPath) {
                this.volume = volume;
                this.hostPath = hostPath;
                this.containerPath = containerPath;
            }

            public Builder volume(String value) {
                volume = value;
                return this;
            }

            public Builder hostPath(Path value) {
                hostPath = value;
                return this;
            }

            public Builder containerPath(String value) {
                containerPath = value;
                return this;
            }

            public Builder readOnly(boolean value) {
                readOnly = value;
                return this;
            }

            public Builder recursiveReadOnly(boolean value) {
                recursiveReadOnly = value;
                return this;
            }

            public Builder propagation(Propagation value) {
                propagation = value;
                return this;
            }

            public Builder runtimeSubPath(String value) {
                runtimeSubPath = value;
                return this;
            }

            public ContainerMount build() {
                return new ContainerMount(
                        volume, hostPath, containerPath, readOnly, recursiveReadOnly, propagation, runtimeSubPath);
            }
        }
    }

    /**
     * A volume as a raw device for a container.
     *
     * @param volume the pod's name for the volume
     * @param hostPath the device on this machine
     * @param containerPath the path of the device in the container
     */
    public record ContainerDevice(String volume, Path hostPath, String containerPath, boolean readOnly) {}
}
