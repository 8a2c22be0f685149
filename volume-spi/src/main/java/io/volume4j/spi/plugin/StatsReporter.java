package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.plugin.HealthReporter.Health;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reports how full a volume is, and changes nothing. Calls may be slow and may hang. They do not count toward the
 * plugin's limit of concurrent calls, so they may overlap with its other calls, also for the same volume. A cancelled
 * call should end soon, because the node cannot unmount a filesystem during such a call.
 *
 * @since 0.1.0
 */
public interface StatsReporter {
    Stats stats(StatsRequest request, CallContext context);

    /**
     * The volume, and the paths where it is mounted or mapped.
     *
     * @param path the pod's mount, or its raw device
     * @param deviceMountPath the device mount, null for a plugin without device mounts; for a raw device, the staging
     *     path of {@link BlockMapper.MapDeviceRequest}
     * @param mapPath for a raw device, the publish path of {@link BlockMapper.MapPodRequest}; null for a filesystem
     */
    record StatsRequest(
            VolumeId volume,
            Path path,
            @Nullable Path deviceMountPath,
            @Nullable Path mapPath) {
        /** A request for a filesystem. */
        public StatsRequest(VolumeId volume, Path path, @Nullable Path deviceMountPath) {
            this(volume, path, deviceMountPath, null);
        }

        public StatsRequest(VolumeId volume, Path path) {
            this(volume, path, null);
        }

        /** Whether the pod has the volume as a raw device. */
        public boolean block() {
            return mapPath != null;
        }
    }

    /**
     * Bytes and inodes; -1 for unknown figures.
     *
     * @param totalBytes the size in bytes; for a raw device, the size of the device
     * @param condition the health of the volume, null if the plugin does not report it here
     */
    record Stats(
            long totalBytes,
            long availableBytes,
            long usedBytes,
            long totalInodes,
            long availableInodes,
            long usedInodes,
            @Nullable Health condition) {
        public Stats(
                long totalBytes,
                long availableBytes,
                long usedBytes,
                long totalInodes,
                long availableInodes,
                long usedInodes) {
            this(totalBytes, availableBytes, usedBytes, totalInodes, availableInodes, usedInodes, null);
        }

        /**
         * The figures of a filesystem that contains only this volume. The inode figures are unknown if the filesystem
         * creates inodes as needed, or does not say how many are free.
         */
        public static Stats of(FilesystemUsage usage) {
            boolean counted = usage.totalInodes() > 0 && usage.availableInodes() >= 0;
            return new Stats(
                    usage.totalBytes(),
                    usage.availableBytes(),
                    usage.usedBytes(),
                    counted ? usage.totalInodes() : -1,
                    counted ? usage.availableInodes() : -1,
                    counted ? usage.totalInodes() - usage.availableInodes() : -1);
        }

        /** The figures of a raw device: only its size. The program that uses the device knows how full it is. */
        public static Stats ofDevice(long bytes) {
            return builder().totalBytes(bytes).build();
        }

        public Stats withCondition(Health told) {
            return toBuilder().condition(told).build();
        }

        /** A builder in which all figures are unknown. */
        public static Builder builder() {
            return new Builder();
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder();
            builder.totalBytes = totalBytes;
            builder.availableBytes = availableBytes;
            builder.usedBytes = usedBytes;
            builder.totalInodes = totalInodes;
            builder.availableInodes = availableInodes;
            builder.usedInodes = usedInodes;
            builder.condition = condition;
            return builder;
        }

        /** Builds a {@link Stats}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private long totalBytes = -1;
            private long availableBytes = -1;
            private long usedBytes = -1;
            private long totalInodes = -1;
            private long availableInodes = -1;
            private long usedInodes = -1;
            private @Nullable Health condition;

            private Builder() {}

            public Builder totalBytes(long value) {
                totalBytes = value;
                return this;
            }

            public Builder availableBytes(long value) {
                availableBytes = value;
                return this;
            }

            public Builder usedBytes(long value) {
                usedBytes = value;
                return this;
            }

            public Builder totalInodes(long value) {
                totalInodes = value;
                return this;
            }

            public Builder availableInodes(long value) {
                availableInodes = value;
                return this;
            }

            public Builder usedInodes(long value) {
                usedInodes = value;
                return this;
            }

            public Builder condition(@Nullable Health value) {
                condition = value;
                return this;
            }

            public Stats build() {
                return new Stats(
                        totalBytes, availableBytes, usedBytes, totalInodes, availableInodes, usedInodes, condition);
            }
        }
    }
}
