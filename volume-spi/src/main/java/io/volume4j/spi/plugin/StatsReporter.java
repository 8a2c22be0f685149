package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Says how full a volume is. May be slow. */
public interface StatsReporter {
    Stats stats(StatsRequest request, CallContext context);

    /**
     * Which volume, and where it is mounted or mapped.
     *
     * @param deviceMountPath null for a plugin without device mounts
     */
    record StatsRequest(
            VolumeId volume, Path path, @Nullable Path deviceMountPath) {
        public StatsRequest(VolumeId volume, Path path) {
            this(volume, path, null);
        }
    }

    /** Bytes and inodes; -1 for what is not known. */
    record Stats(
            long totalBytes,
            long availableBytes,
            long usedBytes,
            long totalInodes,
            long availableInodes,
            long usedInodes) {}
}
