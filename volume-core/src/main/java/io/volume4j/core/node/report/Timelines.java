package io.volume4j.core.node.report;

import io.volume4j.core.volumes.TimelineEntry;
import io.volume4j.spi.VolumeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The latest events of the volumes with the most recent events. Volumes without new events lose their history to
 * others, so the memory is bounded. Loop thread only.
 */
public final class Timelines {
    static final int VOLUMES = 1024;
    static final int ENTRIES = 64;
    /**
     * The usual number of entries of a volume that was mounted and unmounted: two begins, two ends, and that it was
     * forgotten.
     */
    private static final int USUAL = 5;

    private final int volumes;
    private final int entries;
    private final Map<VolumeId, Deque<Supplier<TimelineEntry>>> rings = new LinkedHashMap<>(16, 0.75f, true);

    Timelines() {
        this(VOLUMES, ENTRIES);
    }

    Timelines(int volumes, int entries) {
        this.volumes = volumes;
        this.entries = entries;
    }

    /** @param entry creates the text when a caller requests it, which is rare */
    void add(VolumeId id, Supplier<TimelineEntry> entry) {
        Deque<Supplier<TimelineEntry>> ring = rings.computeIfAbsent(id, key -> new ArrayDeque<>(USUAL));
        if (ring.size() == entries) {
            ring.removeFirst();
        }
        ring.addLast(entry);
        if (rings.size() > volumes) {
            Iterator<VolumeId> longestAtRest = rings.keySet().iterator();
            longestAtRest.next();
            longestAtRest.remove();
        }
    }

    /** Oldest first; empty for a volume without entries. */
    public List<TimelineEntry> of(VolumeId id) {
        List<TimelineEntry> entries = new ArrayList<>();
        rings.getOrDefault(id, new ArrayDeque<>()).forEach(entry -> entries.add(entry.get()));
        return entries;
    }
}
