package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.Patch;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The latest writes. Thread-safe. */
final class WriteJournal {
    private final ArrayDeque<ClusterWrite> writes = new ArrayDeque<>();
    private final int most;
    private long count;

    WriteJournal(int most) {
        this.most = most;
    }

    synchronized void add(
            ClusterVerb verb,
            ObjectKey key,
            @Nullable Patch patch,
            ClusterException.@Nullable Reason refused,
            String revision) {
        count++;
        writes.add(new ClusterWrite(count, verb, key, patch, refused, revision));
        if (writes.size() > most) {
            writes.remove();
        }
    }

    synchronized List<ClusterWrite> all() {
        return List.copyOf(writes);
    }

    synchronized void clear() {
        writes.clear();
    }
}
