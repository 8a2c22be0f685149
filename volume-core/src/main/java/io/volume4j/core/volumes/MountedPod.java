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
 * A pod whose volumes are there. Immutable.
 *
 * @param volumes by the pod's name for them, in the pod's order
 * @param containers what each container is to see where, by its name, init containers first and ephemeral containers last; volumes
 *     that are not there are left out
 * @param supplementalGroups that the pod's processes need for its volumes, beside those that the pod asks for itself
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

    /** What the container is to see where; nothing for a container that the pod does not have. */
    public ContainerVolumes container(String name) {
        return containers.getOrDefault(name, new ContainerVolumes(List.of(), List.of()));
    }

    /**
     * One volume.
     *
     * @param specName the PersistentVolume's name, or the pod's name for an inline volume
     * @param path where it is on this machine: its files, or the device
     * @param sizeLimitBytes the most that an emptyDir may hold, by its own limit and its pod's, 0 for none. The kernel sees to it
     *     in memory and huge pages; on the node's disk the program that started the pod does, as a kubelet does by evicting it
     * @param byRuntime whether the container runtime puts the files in place by itself, as those of an image: then nothing is at the path
     * @param imageRef the container image that the volume shows, with its digest, for the status of the containers that mount it; {@code
     *     ""} for a volume that shows none, if it is not known, and of a pod that is not known
     */
    public record MountedVolume(
            VolumeId id,
            String specName,
            Path path,
            boolean readOnly,
            long sizeLimitBytes,
            boolean byRuntime,
            String imageRef) {
        /** Of files that the library put in place, and that are no image's. */
        public MountedVolume(VolumeId id, String specName, Path path, boolean readOnly, long sizeLimitBytes) {
            this(id, specName, path, readOnly, sizeLimitBytes, false, "");
        }
    }

    /**
     * What one container is to see, in the order of its manifest.
     *
     * @param problem why it cannot see all that it asks for yet, or ever; {@code ""} if it can. Only ephemeral containers have one: what
     *     any other container asks for in vain keeps the pod from being mounted
     */
    public record ContainerVolumes(List<ContainerMount> mounts, List<ContainerDevice> devices, String problem) {
        /** Of a container that can see all. */
        public ContainerVolumes(List<ContainerMount> mounts, List<ContainerDevice> devices) {
            this(mounts, devices, "");
        }

        public ContainerVolumes {
            mounts = Collections.unmodifiableList(new ArrayList<>(mounts));
            devices = Collections.unmodifiableList(new ArrayList<>(devices));
        }
    }

    /**
     * Files of a volume for a container. The program that starts the container binds them, with {@link #bindOptions()}.
     *
     * @param volume the pod's name for the volume
     * @param hostPath where the files are on this machine, a subPath included
     * @param containerPath where the container is to see them
     * @param readOnly for this container
     * @param recursiveReadOnly whether what is mounted below must be read-only as well
     * @param propagation how later mounts below travel between machine and container
     * @param runtimeSubPath of a volume that the container runtime puts in place: the part that the container is to see, {@code ""} for
     *     all of it; {@code ""} for other volumes, whose parts are at {@code hostPath}
     */
    public record ContainerMount(
            String volume,
            Path hostPath,
            String containerPath,
            boolean readOnly,
            boolean recursiveReadOnly,
            Propagation propagation,
            String runtimeSubPath) {
        /** Of files that the library put in place. */
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
         * The word for {@code recursiveReadOnly} in the status of the container's mount, by how it is mounted: {@code Enabled} or {@code
         * Disabled}; {@code ""} for a writable mount, whose status says nothing of it.
         */
        public String recursiveReadOnlyStatus() {
            if (!readOnly) {
                return "";
            }
            return recursiveReadOnly ? "Enabled" : "Disabled";
        }

        /** With the mounts below, unless those would be writable in a read-only mount. */
        public BindOptions bindOptions() {
            return new BindOptions(readOnly, !readOnly || recursiveReadOnly, propagation);
        }

        /** Writable, without later mounts below. */
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
     * @param containerPath where the container is to see it
     */
    public record ContainerDevice(String volume, Path hostPath, String containerPath, boolean readOnly) {}
}
