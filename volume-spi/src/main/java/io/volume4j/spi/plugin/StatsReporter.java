package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import java.nio.file.Path;

/** Says how full a volume is. May be slow. */
public interface StatsReporter {
    Stats stats(StatsRequest request, CallContext context);

    /** Which volume, and where it is mounted or mapped. */
    record StatsRequest(VolumeId volume, Path path) {}

    /** Bytes and inodes; -1 for what is not known. */
    record Stats(
            long totalBytes,
            long availableBytes,
            long usedBytes,
            long totalInodes,
            long availableInodes,
            long usedInodes) {}
}
