package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.mount.FilesystemUsage;
import io.volume4j.spi.plugin.HealthReporter.Health;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Says how full a volume is, and changes nothing. May be slow and may hang: such calls have places of their own, beside those
 * of the plugin's other calls, so they may come while any of those runs, for the same volume too. A call that is cancelled
 * should end soon, because a filesystem that is being asked cannot be unmounted.
 *
 * @since 0.1.0
 */
public interface StatsReporter {
    Stats stats(StatsRequest request, CallContext context);

    /**
     * Which volume, and where it is mounted or mapped.
     *
     * @param path the pod's mount, or its raw device
     * @param deviceMountPath null for a plugin without device mounts; for a raw device where {@link
     *     BlockMapper.MapDeviceRequest} let it be prepared
     * @param mapPath of a raw device where {@link BlockMapper.MapPodRequest} let it be made for the pod; null for a
     *     filesystem
     */
    record StatsRequest(
            VolumeId volume,
            Path path,
            @Nullable Path deviceMountPath,
            @Nullable Path mapPath) {
        /** For a filesystem. */
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
     * Bytes and inodes; -1 for what is not known.
     *
     * @param totalBytes of a raw device, its size
     * @param condition how the volume is, null if the plugin does not say it here
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

        /** Of a filesystem of the volume's own. One that makes inodes as it needs them has no number of them. */
        public static Stats of(FilesystemUsage usage) {
            boolean counted = usage.totalInodes() > 0;
            return new Stats(
                    usage.totalBytes(),
                    usage.availableBytes(),
                    usage.usedBytes(),
                    counted ? usage.totalInodes() : -1,
                    counted ? usage.availableInodes() : -1,
                    counted ? usage.totalInodes() - usage.availableInodes() : -1);
        }

        /** Of a raw device: who uses it knows how full it is. */
        public static Stats ofDevice(long bytes) {
            return builder().totalBytes(bytes).build();
        }

        public Stats withCondition(Health told) {
            return toBuilder().condition(told).build();
        }

        /** Of a volume of which nothing is known. */
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
