package io.volume4j.inmemory.plugin;

import io.volume4j.spi.plugin.GroupSnapshotter.GroupSnapshot;
import io.volume4j.spi.plugin.GroupSnapshotter.Member;
import io.volume4j.spi.plugin.Snapshotter.Snapshot;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The backend's snapshots and groups; the handle of each is its name. Thread-safe. */
final class SnapshotShelf {
    private final InstantSource clock;
    private final TreeMap<String, Cut> snapshots = new TreeMap<>();
    private final TreeMap<String, Group> groups = new TreeMap<>();
    private int looksUntilReady;

    /** A snapshot, with the number of answers until it is ready. */
    private static final class Cut {
        private final Snapshot finished;
        private int looks;

        Cut(Snapshot finished, int looks) {
            this.finished = finished;
            this.looks = looks;
        }

        Snapshot look() {
            if (looks == 0) {
                return finished;
            }
            looks--;
            return new Snapshot(finished.handle(), finished.cutAt(), finished.sizeBytes(), false);
        }
    }

    private record Group(Instant cutAt, Map<String, String> snapshotByVolume) {}

    SnapshotShelf(InstantSource clock) {
        this.clock = clock;
    }

    /** Sets for new snapshots the number of answers that are not ready, the first answer included. */
    synchronized void looksUntilReady(int looks) {
        looksUntilReady = looks;
    }

    /**
     * The snapshot with the name, or a new one.
     *
     * @param bytes the size; called only for a new snapshot
     */
    synchronized Snapshot cut(String name, LongSupplier bytes) {
        Cut cut = snapshots.get(name);
        if (cut == null) {
            cut = new Cut(new Snapshot(name, clock.instant(), bytes.getAsLong(), true), looksUntilReady);
            snapshots.put(name, cut);
        }
        return cut.look();
    }

    synchronized Optional<Snapshot> get(String handle) {
        return Optional.ofNullable(snapshots.get(handle)).map(Cut::look);
    }

    synchronized boolean has(String handle) {
        return snapshots.containsKey(handle);
    }

    synchronized List<String> handles() {
        return new ArrayList<>(snapshots.keySet());
    }

    synchronized void delete(String handle) {
        snapshots.remove(handle);
    }

    /**
     * The group with the name, or a new one with a snapshot of each volume at one time.
     *
     * @param bytesByVolume the volumes with their sizes; called only for a new group
     */
    synchronized GroupSnapshot cutGroup(String name, Supplier<Map<String, Long>> bytesByVolume) {
        Group group = groups.get(name);
        if (group == null) {
            group = cutNow(name, bytesByVolume.get());
            groups.put(name, group);
        }
        return told(name, group);
    }

    private Group cutNow(String name, Map<String, Long> bytesByVolume) {
        Map<String, String> members = new TreeMap<>();
        bytesByVolume.forEach((volume, bytes) -> {
            String handle = name + "-" + volume;
            snapshots.put(handle, new Cut(new Snapshot(handle, clock.instant(), bytes, true), looksUntilReady));
            members.put(volume, handle);
        });
        return new Group(clock.instant(), members);
    }

    synchronized Optional<GroupSnapshot> getGroup(String handle) {
        return Optional.ofNullable(groups.get(handle)).map(group -> told(handle, group));
    }

    synchronized List<String> groupHandles() {
        return new ArrayList<>(groups.keySet());
    }

    /** The handles of a group's snapshots, by volume; empty if the group does not exist. */
    synchronized Map<String, String> members(String group) {
        Group found = groups.get(group);
        return found == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(found.snapshotByVolume()));
    }

    /** Whether the next answer reports the snapshot as ready. */
    synchronized boolean ready(String handle) {
        Cut cut = snapshots.get(handle);
        return cut != null && cut.looks == 0;
    }

    synchronized boolean inGroup(String handle) {
        return groups.values().stream()
                .anyMatch(group -> group.snapshotByVolume().containsValue(handle));
    }

    synchronized void deleteGroup(String handle) {
        Group group = groups.remove(handle);
        if (group != null) {
            group.snapshotByVolume().values().forEach(snapshots::remove);
        }
    }

    private GroupSnapshot told(String name, Group group) {
        List<Member> members = new ArrayList<>();
        group.snapshotByVolume()
                .forEach((volume, handle) ->
                        get(handle).ifPresent(snapshot -> members.add(new Member(volume, snapshot))));
        boolean ready = members.stream().allMatch(member -> member.snapshot().ready());
        return new GroupSnapshot(name, group.cutAt(), ready, members);
    }
}
