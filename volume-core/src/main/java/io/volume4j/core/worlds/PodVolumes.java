package io.volume4j.core.worlds;

import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.EmptyDirSource;
import io.volume4j.spi.model.NfsSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that a host wants for one pod, or job, without claims and API objects. Immutable. Use
 * {@link #builder()}.
 *
 * @param volumes the volumes by the job's names for them
 * @param fsGroup the group that owns the volumes' files, null to leave them as they are
 * @since 0.1.0
 */
public record PodVolumes(
        Map<String, Volume> volumes, @Nullable Long fsGroup) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    public PodVolumes {
        volumes = Collections.unmodifiableMap(new LinkedHashMap<>(volumes));
    }

    /**
     * One volume.
     *
     * @param source any source except a claim. A CSI volume with a handle must already exist
     * @param mountOptions mount options, for a filesystem on a device or a server. Must be empty for sources that have
     *     no mount options
     */
    public record Volume(VolumeSource source, VolumeMode mode, boolean readOnly, List<String> mountOptions) {
        public Volume {
            Objects.requireNonNull(source, "a volume's source is null: give what is to be mounted");
            Objects.requireNonNull(mode, "a volume's mode is null: give FILESYSTEM or BLOCK");
            mountOptions = Collections.unmodifiableList(new ArrayList<>(mountOptions));
        }
    }

    /** A builder without volumes. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link PodVolumes}. A volume replaces an earlier volume with the same name. Not thread-safe. */
    public static final class Builder {
        private final Map<String, Volume> volumes = new LinkedHashMap<>();
        private @Nullable Long fsGroup;

        private Builder() {}

        /** Adds an empty directory on the node's disk. It is removed with the job. */
        public Builder emptyDir(String name) {
            return volume(name, new EmptyDirSource("", null));
        }

        /**
         * Adds an empty directory in memory, of at most these bytes. It is removed with the job.
         *
         * @throws IllegalArgumentException if there are no bytes: such a directory would have no limit. {@code 16 << 30}
         *     is such a number, because an {@code int} has no room for it
         */
        public Builder memory(String name, long bytes) {
            if (bytes <= 0) {
                throw new IllegalArgumentException("volume " + name + " in memory must have at least one byte, not "
                        + bytes + ": give its greatest size as a long, such as 16L << 30");
            }
            return volume(name, new EmptyDirSource("Memory", Quantity.ofBytes(bytes)));
        }

        /** Adds a directory that an NFS server exports. */
        public Builder nfs(String name, String server, String path) {
            return volume(name, new NfsSource(server, path, false));
        }

        /** Adds an existing volume of a driver, or of the plugin {@code loop.volume4j.io}, by its handle. */
        public Builder csi(String name, String driver, String handle) {
            return volume(name, CsiSource.of(driver, handle, "", Map.of()));
        }

        /** Adds the files of any source except a claim. */
        public Builder volume(String name, VolumeSource source) {
            return volume(name, new Volume(source, VolumeMode.FILESYSTEM, false, List.of()));
        }

        /** Adds the files of any source except a claim, read-only. */
        public Builder readOnly(String name, VolumeSource source) {
            return volume(name, new Volume(source, VolumeMode.FILESYSTEM, true, List.of()));
        }

        /** Adds a raw device. */
        public Builder device(String name, VolumeSource source) {
            return volume(name, new Volume(source, VolumeMode.BLOCK, false, List.of()));
        }

        /**
         * Adds a volume with all its settings.
         * @throws IllegalArgumentException if the name is not valid, or if the source is a claim or is empty
         */
        public Builder volume(String name, Volume volume) {
            Objects.requireNonNull(name, "a volume's name is null: give the job's name for it");
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("a volume's name must have 1 to 63 letters, digits, dots, dashes and"
                        + " underscores and begin and end with a letter or digit, not \"" + name + "\"");
            }
            if (volume.source() instanceof ClaimSource) {
                throw new IllegalArgumentException(
                        "volume " + name + " is a claim, and direct wishes have none: give the"
                                + " source of its PersistentVolume, or give the manager a ClusterSource that has pod and claim");
            }
            if (volume.source() instanceof OtherSource other && other.type().isEmpty()) {
                throw new IllegalArgumentException("volume " + name + " names no source");
            }
            volumes.put(name, volume);
            return this;
        }

        /** The group that owns the files, for volumes whose plugin permits a change of the group. */
        public Builder fsGroup(long group) {
            fsGroup = group;
            return this;
        }

        public PodVolumes build() {
            return new PodVolumes(volumes, fsGroup);
        }
    }
}
