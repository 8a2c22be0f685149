package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * A write request of a client.
 * @param number from 1, in the order of the requests
 * @param patch the patch, null for other writes
 * @param refused why the cluster refused it, null if it did not
 * @param revision the revision of the cluster after the write, {@code ""} if the cluster refused it
 * @since 0.1.0
 */
public record ClusterWrite(
        long number,
        ClusterVerb verb,
        ObjectKey object,
        @Nullable Patch patch,
        ClusterException.@Nullable Reason refused,
        String revision) {
    /** The text for assertions: {@code create PersistentVolume//pv-1}. */
    public String text() {
        return verb.word() + " " + object;
    }

    @Override
    public String toString() {
        return number + " " + text() + (refused == null ? " at " + revision : " refused: " + refused);
    }
}
