package io.volume4j.core.volumes;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.StatsReporter.Stats;
import org.jspecify.annotations.Nullable;

/**
 * How full one volume of a pod was when it was asked. Either {@code figures} or {@code failure} is there. Immutable.
 *
 * @param volume the pod's name for the volume
 * @param block whether the pod has it as a raw device, whose total is its size and of which nothing else is known
 * @param sizeLimitBytes the most that an emptyDir may hold, by its own limit and its pod's, 0 for none
 * @param figures bytes and inodes; those of a filesystem that is the volume's own, or, of a directory on a disk that it
 *     shares, what the directory takes and what the disk has
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
     * Why a volume's figures are not known.
     *
     * @param kind final if its plugin never tells them; everything else may be otherwise the next time
     */
    public record Failure(FailureKind kind, String text) {}

    /**
     * Whether an emptyDir certainly takes more than it may. In memory and in huge pages the kernel sees to it; on disk
     * the program that started the pod does.
     */
    public boolean overLimit() {
        return sizeLimitBytes > 0 && figures != null && figures.usedBytes() > sizeLimitBytes;
    }
}
