package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A write that a client asked for.
 *
 * @param number from 1, in the order in which writes were asked for
 * @param patch null but for patches
 * @param refused why it was refused, null if it was not
 * @param revision of the cluster after it, {@code ""} if it was refused
 * @since 0.1.0
 */
public record ClusterWrite(
        long number,
        ClusterVerb verb,
        ObjectKey object,
        @Nullable Patch patch,
        ClusterException.@Nullable Reason refused,
        String revision) {
    /** {@code create PersistentVolume//pv-1}: what assertions compare. */
    public String text() {
        return verb.word() + " " + object;
    }

    @Override
    public String toString() {
        return number + " " + text() + (refused == null ? " at " + revision : " refused: " + refused);
    }
}
