package io.volume4j.core.linux.mount;

import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The mounts at one moment, indexed by path, device, source and id. The mounts and their paths never change. The
 * options of a mount are those of that moment or later, because they are read at the query.
 */
public final class MountSnapshot implements MountTable {
    /** A text that several mounts may share, and the mount's number. */
    private record Numbered(String text, long number) {
        static final Comparator<Numbered> ORDER = (a, b) -> {
            int order = a.text.compareTo(b.text);
            return order != 0 ? order : Long.compare(a.number, b.number);
        };
    }

    /** Any order works; numbers compare faster than paths with a common beginning. */
    private static final Comparator<Path> BY_HASH = (a, b) -> {
        int order = Integer.compare(a.hashCode(), b.hashCode());
        return order != 0 ? order : a.compareTo(b);
    };

    private static final MountRecord.Look NEVER = (number, last) -> last;

    static final MountSnapshot EMPTY = new MountSnapshot(
            0,
            PersistentSortedMap.empty(BY_HASH),
            PersistentSortedMap.empty(Comparator.<String>naturalOrder()),
            PersistentSortedMap.empty(Numbered.ORDER),
            PersistentSortedMap.empty(Numbered.ORDER),
            PersistentSortedMap.empty(Comparator.<Long>naturalOrder()),
            Long.MIN_VALUE,
            NEVER);

    private final int size;
    /** The mounts at each path, each after the one that it covers. */
    private final PersistentSortedMap<Path, List<MountRecord>> byPlace;
    /** Sorted so that all mounts at or below a path are contiguous. */
    private final PersistentSortedMap<String, List<MountRecord>> inOrder;

    private final PersistentSortedMap<Numbered, MountRecord> byDevice;
    private final PersistentSortedMap<Numbered, MountRecord> bySource;
    private final PersistentSortedMap<Long, MountRecord> byId;
    private final long generation;
    private final MountRecord.Look look;

    private MountSnapshot(
            int size,
            PersistentSortedMap<Path, List<MountRecord>> byPlace,
            PersistentSortedMap<String, List<MountRecord>> inOrder,
            PersistentSortedMap<Numbered, MountRecord> byDevice,
            PersistentSortedMap<Numbered, MountRecord> bySource,
            PersistentSortedMap<Long, MountRecord> byId,
            long generation,
            MountRecord.Look look) {
        this.size = size;
        this.byPlace = byPlace;
        this.inOrder = inOrder;
        this.byDevice = byDevice;
        this.bySource = bySource;
        this.byId = byId;
        this.generation = generation;
        this.look = look;
    }

    /** The snapshot of a complete table, in its order. */
    static MountSnapshot ofTable(List<MountEntry> entries) {
        List<MountRecord> mounts = new ArrayList<>(entries.size());
        for (MountEntry entry : entries) {
            mounts.add(new MountRecord(mounts.size(), entry, 0));
        }
        return of(mounts);
    }

    static MountSnapshot of(Collection<MountRecord> mounts) {
        Map<Path, List<MountRecord>> places = new HashMap<>(mounts.size() * 2);
        for (MountRecord mount : mounts) {
            places.computeIfAbsent(mount.entry().mountPoint(), place -> new ArrayList<>(1))
                    .add(mount);
        }
        places.replaceAll((place, mountsThere) -> stacked(mountsThere));
        Map<Long, MountRecord> ids = new HashMap<>(mounts.size() * 2);
        mounts.forEach(mount -> ids.put(mount.entry().id(), mount));
        return new MountSnapshot(
                mounts.size(),
                tree(BY_HASH, places.entrySet(), Map.Entry::getKey, Map.Entry::getValue),
                tree(
                        Comparator.<String>naturalOrder(),
                        places.entrySet(),
                        place -> key(place.getKey()),
                        Map.Entry::getValue),
                tree(Numbered.ORDER, mounts, MountSnapshot::device, mount -> mount),
                tree(Numbered.ORDER, mounts, MountSnapshot::source, mount -> mount),
                tree(Comparator.<Long>naturalOrder(), ids.entrySet(), Map.Entry::getKey, Map.Entry::getValue),
                Long.MIN_VALUE,
                NEVER);
    }

    private static <E, K, V> PersistentSortedMap<K, V> tree(
            Comparator<? super K> order, Collection<E> elements, Function<E, K> key, Function<E, V> value) {
        record Pair<K, V>(K key, V value) {}
        List<Pair<K, V>> pairs = new ArrayList<>(elements.size());
        elements.forEach(element -> pairs.add(new Pair<>(key.apply(element), value.apply(element))));
        pairs.sort((a, b) -> order.compare(a.key, b.key));
        return PersistentSortedMap.of(
                order,
                pairs.stream().map(Pair::key).toList(),
                pairs.stream().map(Pair::value).toList());
    }

    /** The snapshot with one more mount. */
    MountSnapshot with(MountRecord mount) {
        MountEntry entry = mount.entry();
        List<MountRecord> there = new ArrayList<>(mountsAt(entry.mountPoint()));
        there.add(mount);
        return new MountSnapshot(
                size + 1,
                byPlace.with(entry.mountPoint(), stacked(there)),
                inOrder.with(key(entry.mountPoint()), stacked(there)),
                byDevice.with(device(mount), mount),
                bySource.with(source(mount), mount),
                byId.with(entry.id(), mount),
                generation,
                look);
    }

    /** The snapshot without this mount, which must be in it. */
    MountSnapshot without(MountRecord mount) {
        MountEntry entry = mount.entry();
        Path place = entry.mountPoint();
        List<MountRecord> left = new ArrayList<>(mountsAt(place));
        left.remove(mount);
        return new MountSnapshot(
                size - 1,
                left.isEmpty() ? byPlace.without(place) : byPlace.with(place, stacked(left)),
                left.isEmpty() ? inOrder.without(key(place)) : inOrder.with(key(place), stacked(left)),
                byDevice.without(device(mount)),
                bySource.without(source(mount)),
                // The kernel reuses ids: it may belong to another mount by now.
                byId.get(entry.id()) == mount ? byId.without(entry.id()) : byId,
                generation,
                look);
    }

    /** The same mounts, with options that are read in that generation or later. */
    MountSnapshot asOf(long newGeneration, MountRecord.Look newLook) {
        return new MountSnapshot(size, byPlace, inOrder, byDevice, bySource, byId, newGeneration, newLook);
    }

    /** The mounts exactly at the path, each after the one that it covers. */
    List<MountRecord> mountsAt(Path mountPoint) {
        List<MountRecord> there = byPlace.get(mountPoint);
        return there == null ? List.of() : there;
    }

    @Override
    public Optional<MountEntry> at(Path mountPoint) {
        List<MountRecord> there = byPlace.get(mountPoint);
        return there == null ? Optional.empty() : Optional.of(fresh(there.get(there.size() - 1)));
    }

    @Override
    public List<MountEntry> below(Path path) {
        String key = key(path);
        List<MountEntry> found = new ArrayList<>();
        inOrder.from(key, (place, mounts) -> {
            if (!isAtOrBelow(place, key)) {
                return false;
            }
            mounts.forEach(mount -> found.add(fresh(mount)));
            return true;
        });
        return MountOrder.of(found);
    }

    @Override
    public List<MountEntry> ofDevice(String majorMinor) {
        return allOf(byDevice, majorMinor);
    }

    @Override
    public List<MountEntry> ofSource(String source) {
        return allOf(bySource, source);
    }

    @Override
    public int size() {
        return size;
    }

    /** The mount with the id from statx(2). */
    Optional<MountEntry> withId(long id) {
        return Optional.ofNullable(byId.get(id)).map(this::fresh);
    }

    private List<MountEntry> allOf(PersistentSortedMap<Numbered, MountRecord> index, String text) {
        List<MountEntry> found = new ArrayList<>();
        index.from(new Numbered(text, Long.MIN_VALUE), (key, mount) -> {
            if (!key.text.equals(text)) {
                return false;
            }
            found.add(fresh(mount));
            return true;
        });
        return Collections.unmodifiableList(found);
    }

    private MountEntry fresh(MountRecord mount) {
        return mount.entry(generation, look);
    }

    /**
     * Sorts mounts at one path. Usually a mount is younger than the one that it covers, but it may have been moved
     * there, or the lower one may have been inserted below it.
     */
    private static List<MountRecord> stacked(List<MountRecord> mounts) {
        if (mounts.size() == 1) {
            return List.of(mounts.get(0));
        }
        List<MountRecord> left = new ArrayList<>(mounts);
        left.sort(Comparator.comparingLong(MountRecord::number));
        Set<Long> above = new HashSet<>();
        left.forEach(mount -> above.add(mount.entry().id()));
        List<MountRecord> stack = new ArrayList<>(left.size());
        while (!left.isEmpty()) {
            @Nullable MountRecord next = null;
            for (MountRecord each : left) {
                if (!above.contains(each.entry().parentId())) {
                    next = each;
                    break;
                }
            }
            // Only a table that changed during its reading can contain a cycle.
            MountRecord lowest = next == null ? left.get(0) : next;
            left.remove(lowest);
            above.remove(lowest.entry().id());
            stack.add(lowest);
        }
        return Collections.unmodifiableList(stack);
    }

    private static Numbered device(MountRecord mount) {
        return new Numbered(mount.entry().majorMinor(), mount.number());
    }

    private static Numbered source(MountRecord mount) {
        return new Numbered(mount.entry().source(), mount.number());
    }

    private static boolean isAtOrBelow(String place, String key) {
        return place.startsWith(key)
                && (place.length() == key.length() || place.charAt(key.length()) == SEPARATOR || key.isEmpty());
    }

    private static final char SEPARATOR = '\0';

    /**
     * Replaces separators by the smallest character. Otherwise {@code /a-b} would sort between {@code /a} and
     * {@code /a/b}.
     */
    private static String key(Path path) {
        String text = path.toString();
        return text.equals("/") ? "" : text.replace('/', SEPARATOR);
    }
}
