package io.volume4j.core.node.agent;

import io.volume4j.core.volumes.NodeSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Both states of world at one moment.
 *
 * @param revision equal for equal readings only, and never smaller than that of an earlier one
 * @param clusterComplete whether all pods that the cluster assigns to the node are known
 * @param directComplete whether all wishes that the host states directly are known
 */
public record WorldReading(long revision, NodeSnapshot snapshot, boolean clusterComplete, boolean directComplete) {
    /**
     * The next reading.
     *
     * @param last the one before, null for the first
     */
    static WorldReading after(
            @Nullable WorldReading last, NodeSnapshot snapshot, boolean clusterComplete, boolean directComplete) {
        long revision = last == null ? 0 : last.revision();
        WorldReading same = new WorldReading(revision, snapshot, clusterComplete, directComplete);
        return same.equals(last) ? same : new WorldReading(revision + 1, snapshot, clusterComplete, directComplete);
    }
}
