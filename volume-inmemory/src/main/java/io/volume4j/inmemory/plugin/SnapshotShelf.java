package io.volume4j.inmemory.plugin;

import io.volume4j.spi.plugin.Snapshotter.Snapshot;
import java.time.InstantSource;
import java.util.Optional;
import java.util.TreeMap;

/** The backend's snapshots; a snapshot's handle is its name. Thread-safe. */
final class SnapshotShelf {
    private final InstantSource clock;
    private final TreeMap<String, Snapshot> snapshots = new TreeMap<>();

    SnapshotShelf(InstantSource clock) {
        this.clock = clock;
    }

    synchronized Snapshot cut(String name, long bytes) {
        return snapshots.computeIfAbsent(name, unused -> new Snapshot(name, clock.instant(), bytes, true));
    }

    synchronized Optional<Snapshot> get(String handle) {
        return Optional.ofNullable(snapshots.get(handle));
    }

    synchronized void delete(String handle) {
        snapshots.remove(handle);
    }
}
