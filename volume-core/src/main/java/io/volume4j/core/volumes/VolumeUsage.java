package io.volume4j.core.volumes;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import org.jspecify.annotations.Nullable;

/**
 * The usage of one volume of a pod at one moment. Either {@code figures} or {@code failure} is present. Immutable.
 *
 * @param volume the pod's name for the volume
 * @param block whether the pod has it as a raw device; then the total size is the only known figure
 * @param sizeLimitBytes the maximum size of an emptyDir, from its own limit and its pod's, 0 for none
 * @param figures bytes and inodes of the volume's own filesystem. For a directory on a shared disk: the usage of the
 *     directory, and the totals of the disk
 * @param failure why there are no figures
 * @since 0.1.0
 */
public record VolumeUsage(
        String volume,
        VolumeId id,
        boolean block,
        long sizeLimitBytes,
        @Nullable Stats figures,
        @Nullable Failure failure) {
    /**
     * Why a volume has no figures.
     * @param kind final if its plugin never reports figures; with any other kind the next call may succeed
     */
    public record Failure(FailureKind kind, String text) {}

    /**
     * Whether an emptyDir certainly uses more than its limit. The kernel enforces the limit in memory and huge pages.
     * On disk, the program that started the pod must enforce it.
     */
    public boolean overLimit() {
        return sizeLimitBytes > 0 && figures != null && figures.usedBytes() > sizeLimitBytes;
    }
}
