package io.volume4j.core.control.binding.match;

import io.volume4j.spi.model.PersistentVolume;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Volumes by size, then by name. A few stand in an array, sizes side by side, because a caller that asks for all nodes of a cluster
 * comes by a few local volumes of each, and would find a tree of them nowhere near the processor; many stand in a tree.
 */
final class SizeIndex {
    /** More than a machine has disks, few enough to move. */
    private static final int FEW = 32;

    /** Where a volume stands: ordered by whole bytes, then by name. */
    record Place(long bytes, String name) implements Comparable<Place> {
        /** Behind all names that there can be. */
        private static final String LAST = "\uffff";

        /**
         * Before all volumes of the size: behind those that are a byte smaller, so that no name need be compared on the way
         * there.
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

    /** A volume at its place; equal to itself only. */
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

    /** All of them, once there were many; null before. */
    private @Nullable NavigableMap<Place, Standing> many;

    int size() {
        return many == null ? size : many.size();
    }

    /** The same volumes, apart from what comes and goes here later. */
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

    /** Takes out what stands at the place; false if nothing does. */
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

    /** The first from the place on that fits, null if none does. */
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

    /** The number of those before the place. */
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
