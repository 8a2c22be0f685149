package io.volume4j.core.node.agent;

import io.volume4j.core.volumes.NodeSnapshot;
import org.jspecify.annotations.Nullable;

/** Numbers readings of both worlds: equal ones have the same revision, a later one never has a smaller one. Loop thread only. */
final class WorldReadings {
    private @Nullable WorldReading last;

    WorldReading read(NodeSnapshot snapshot, boolean clusterComplete, boolean directComplete) {
        long revision = last == null ? 0 : last.revision();
        WorldReading same = new WorldReading(revision, snapshot, clusterComplete, directComplete);
        if (!same.equals(last)) {
            last = new WorldReading(revision + 1, snapshot, clusterComplete, directComplete);
            return last;
        }
        return same;
    }
}
