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
 * The latest moments of the volumes about which something happened last. Volumes at rest lose their history to busier ones,
 * so the whole never grows beyond its bounds. Loop thread only.
 */
public final class Timelines {
    static final int VOLUMES = 1024;
    static final int ENTRIES = 64;
    /** Of a volume that came and went: two beginnings and two ends, and that it is forgotten. */
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

    /** @param entry makes the text when a caller asks, which is rare */
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

    /** Oldest first; empty for a volume of which nothing is kept. */
    public List<TimelineEntry> of(VolumeId id) {
        List<TimelineEntry> entries = new ArrayList<>();
        rings.getOrDefault(id, new ArrayDeque<>()).forEach(entry -> entries.add(entry.get()));
        return entries;
    }
}
