package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.PersistentVolume;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Volumes by size, then by name. Few volumes are in an array with the sizes side by side. A caller that checks all nodes of a
 * cluster visits a few local volumes of each. Trees of them would be slow, because they are not in the processor's caches. Many
 * volumes are in a tree.
 */
final class SizeIndex {
    /** More than the disks of a machine, but few enough to shift. */
    private static final int FEW = 32;

    /** The position of a volume: by whole bytes, then by name. */
    record Place(long bytes, String name) implements Comparable<Place> {
        /** After all possible names. */
        private static final String LAST = "\uffff";

        /**
         * Before all volumes of this size: after all volumes that are one byte smaller, so that the search need not compare names.
         */
        static Place before(long bytes) {
            return new Place(bytes - 1, LAST);
        }

        static Place of(PersistentVolume volume) {
            return new Place(Fit.bytes(volume), volume.metadata().name());
        }

        @Override
        public int compareTo(Place other) {
            int bySize = Long.compare(bytes, other.bytes);
            return bySize != 0 ? bySize : name.compareTo(other.name);
        }
    }

    /** A volume at its position; equal only to itself. */
    static final class Standing {
        private final Place place;
        private final PersistentVolume volume;

        Standing(Place place, PersistentVolume volume) {
            this.place = place;
            this.volume = volume;
        }

        Place place() {
            return place;
        }

        PersistentVolume volume() {
            return volume;
        }
    }

    private long[] bytes = new long[2];
    private @Nullable Standing[] few = new @Nullable Standing[2];
    private int size;

    /** All volumes, once there were many; null before. */
    private @Nullable NavigableMap<Place, Standing> many;

    int size() {
        return many == null ? size : many.size();
    }

    /** An independent copy with the same volumes. */
    SizeIndex copy() {
        SizeIndex copy = new SizeIndex();
        if (many != null) {
            copy.many = new TreeMap<>(many);
        } else {
            copy.few = few.clone();
            copy.bytes = bytes.clone();
            copy.size = size;
        }
        return copy;
    }

    void put(Standing standing) {
        if (many == null && size == FEW) {
            NavigableMap<Place, Standing> all = new TreeMap<>();
            for (Standing each : few) {
                if (each != null) {
                    all.put(each.place(), each);
                }
            }
            many = all;
            few = new @Nullable Standing[0];
            bytes = new long[0];
        }
        if (many != null) {
            many.put(standing.place(), standing);
            return;
        }
        int at = find(standing.place());
        if (at < size && at(at).place().equals(standing.place())) {
            few[at] = standing;
            return;
        }
        if (size == few.length) {
            few = Arrays.copyOf(few, 2 * size);
            bytes = Arrays.copyOf(bytes, 2 * size);
        }
        System.arraycopy(few, at, few, at + 1, size - at);
        System.arraycopy(bytes, at, bytes, at + 1, size - at);
        few[at] = standing;
        bytes[at] = standing.place().bytes();
        size++;
    }

    /** Removes the volume at the position; false if there is none. */
    boolean remove(Place place) {
        if (many != null) {
            return many.remove(place) != null;
        }
        int at = find(place);
        if (at == size || !at(at).place().equals(place)) {
            return false;
        }
        size--;
        System.arraycopy(few, at + 1, few, at, size - at);
        System.arraycopy(bytes, at + 1, bytes, at, size - at);
        few[size] = null;
        return true;
    }

    /** The first volume from this position that fits, null if none does. */
    @Nullable
    Standing first(Place from, Predicate<Standing> fits) {
        if (many != null) {
            return first(many, from, fits);
        }
        for (int at = find(from); at < size; at++) {
            Standing found = at(at);
            if (fits.test(found)) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable Standing first(NavigableMap<Place, Standing> all, Place from, Predicate<Standing> fits) {
        Map.@Nullable Entry<Place, Standing> entry = all.ceilingEntry(from);
        while (entry != null && !fits.test(entry.getValue())) {
            entry = all.higherEntry(entry.getKey());
        }
        return entry == null ? null : entry.getValue();
    }

    /** The number of volumes before the position. */
    private int find(Place place) {
        int at = 0;
        while (at < size
                && (bytes[at] < place.bytes()
                        || (bytes[at] == place.bytes() && at(at).place().compareTo(place) < 0))) {
            at++;
        }
        return at;
    }

    private Standing at(int index) {
        Standing standing = few[index];
        if (standing == null) {
            throw new IllegalStateException("nothing stands at " + index + " of " + size);
        }
        return standing;
    }
}
