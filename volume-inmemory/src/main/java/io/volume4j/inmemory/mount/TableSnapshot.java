package io.volume4j.inmemory.mount;

import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The mounts at one time. Immutable. */
final class TableSnapshot implements MountTable {
    private static final char BETWEEN_NAMES = '\0';

    /** Keys have the smallest character between names, so that the mounts below a path are one range. */
    private final TreeMap<String, List<MountEntry>> byPlace = new TreeMap<>();

    private final Map<String, List<MountEntry>> byDevice = new HashMap<>();
    private final int size;

    /** @param entries in the order of their mounts */
    TableSnapshot(List<MountEntry> entries) {
        for (MountEntry entry : entries) {
            byPlace.computeIfAbsent(key(entry.mountPoint()), unused -> new ArrayList<>(1))
                    .add(entry);
            byDevice.computeIfAbsent(entry.majorMinor(), unused -> new ArrayList<>(1))
                    .add(entry);
        }
        size = entries.size();
    }

    /** The same without the mounts at the path, as an old kernel may answer during concurrent unmounts. */
    TableSnapshot without(Path mountPoint) {
        List<MountEntry> rest = new ArrayList<>();
        byPlace.values()
                .forEach(all -> all.stream()
                        .filter(entry -> !entry.mountPoint().equals(mountPoint))
                        .forEach(rest::add));
        return new TableSnapshot(rest);
    }

    @Override
    public Optional<MountEntry> at(Path mountPoint) {
        List<MountEntry> there = byPlace.getOrDefault(key(mountPoint), List.of());
        return there.stream()
                .filter(entry -> there.stream().noneMatch(other -> other.parentId() == entry.id()))
                .reduce((earlier, later) -> later);
    }

    @Override
    public List<MountEntry> below(Path path) {
        String key = key(path);
        List<MountEntry> found = new ArrayList<>(byPlace.getOrDefault(key, List.of()));
        String inside = key + BETWEEN_NAMES;
        byPlace.subMap(inside, true, key + (char) (BETWEEN_NAMES + 1), false)
                .values()
                .forEach(found::addAll);
        return Collections.unmodifiableList(found);
    }

    @Override
    public List<MountEntry> ofDevice(String majorMinor) {
        return Collections.unmodifiableList(byDevice.getOrDefault(majorMinor, List.of()));
    }

    @Override
    public int size() {
        return size;
    }

    private static String key(Path path) {
        String text = path.toString();
        return text.equals("/") ? "" : text.replace('/', BETWEEN_NAMES);
    }
}
