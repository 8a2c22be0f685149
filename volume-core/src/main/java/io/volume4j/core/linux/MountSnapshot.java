package io.volume4j.core.linux;

import io.volume4j.spi.mount.MountEntry;
import io.volume4j.spi.mount.MountTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The mounts at one moment, indexed by place, device and id. Immutable. */
final class MountSnapshot implements MountTable {
    private final List<MountEntry> inOrder;
    private final Map<Long, MountEntry> byId;
    private final Map<Path, MountEntry> topmost;
    private final Map<String, List<MountEntry>> byDevice;
    /** Sorted so that everything at or below a path is one run; the sort is stable, parents come before children. */
    private final Placed[] byPlace;

    MountSnapshot(List<MountEntry> entries) {
        inOrder = Collections.unmodifiableList(new ArrayList<>(entries));
        byId = new HashMap<>(entries.size() * 2);
        topmost = new HashMap<>(entries.size() * 2);
        byDevice = new HashMap<>(entries.size() * 2);
        byPlace = new Placed[entries.size()];
        for (int i = 0; i < byPlace.length; i++) {
            MountEntry entry = inOrder.get(i);
            byId.put(entry.id(), entry);
            byDevice.computeIfAbsent(entry.majorMinor(), device -> new ArrayList<>(2))
                    .add(entry);
            byPlace[i] = new Placed(key(entry.mountPoint()), entry);
        }
        Arrays.sort(byPlace, (a, b) -> a.key.compareTo(b.key));
        for (int i = 0; i < byPlace.length; ) {
            int end = i + 1;
            while (end < byPlace.length && byPlace[end].key.equals(byPlace[i].key)) {
                end++;
            }
            MountEntry top = topOf(i, end);
            topmost.put(top.mountPoint(), top);
            i = end;
        }
    }

    /** Of the mounts at one place, the one on which no other of them was stacked. */
    private MountEntry topOf(int from, int to) {
        for (int i = to - 1; i > from; i--) {
            MountEntry candidate = byPlace[i].entry;
            boolean covered = false;
            for (int j = from; j < to; j++) {
                covered |= byPlace[j].entry.parentId() == candidate.id() && j != i;
            }
            if (!covered) {
                return candidate;
            }
        }
        return byPlace[from].entry;
    }

    @Override
    public Optional<MountEntry> at(Path mountPoint) {
        return Optional.ofNullable(topmost.get(mountPoint));
    }

    @Override
    public List<MountEntry> below(Path path) {
        String key = key(path);
        List<MountEntry> found = new ArrayList<>();
        for (int i = firstAtOrAfter(key); i < byPlace.length && isAtOrBelow(byPlace[i].key, key); i++) {
            found.add(byPlace[i].entry);
        }
        return Collections.unmodifiableList(found);
    }

    @Override
    public List<MountEntry> ofDevice(String majorMinor) {
        List<MountEntry> found = byDevice.get(majorMinor);
        return found == null ? List.of() : Collections.unmodifiableList(found);
    }

    @Override
    public int size() {
        return inOrder.size();
    }

    /** The mount with the id that statx(2) tells. */
    Optional<MountEntry> withId(long id) {
        return Optional.ofNullable(byId.get(id));
    }

    private int firstAtOrAfter(String key) {
        int low = 0;
        int high = byPlace.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (byPlace[middle].key.compareTo(key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static boolean isAtOrBelow(String place, String key) {
        return place.startsWith(key)
                && (place.length() == key.length() || place.charAt(key.length()) == SEPARATOR || key.isEmpty());
    }

    private static final char SEPARATOR = '\0';

    /** With the smallest character between names, else {@code /a-b} would sort between {@code /a} and {@code /a/b}. */
    private static String key(Path path) {
        String text = path.toString();
        return text.equals("/") ? "" : text.replace('/', SEPARATOR);
    }

    private record Placed(String key, MountEntry entry) {}
}
