package io.volume4j.core.codec;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A deeply immutable map of a document, in its original order. A tree that contains it need not copy it again. Its
 * entries are in one array, because a cluster's documents have very many small maps.
 */
final class FrozenMap extends AbstractMap<String, @Nullable Object> {
    /** For more entries than this, a linear search is slower than a hash. */
    private static final int FEW = 12;

    /** Keys and values alternately. */
    private final @Nullable Object[] entries;

    /** The indexes of the keys, if there are more than a few. */
    private final Map<Object, Integer> places;

    private final int height;

    /**
     * @param entries keys, which are text, and values alternately; must not be changed afterwards
     * @param height the number of levels of maps and lists below this one
     */
    FrozenMap(@Nullable Object[] entries, int height) {
        this.entries = entries;
        this.height = height;
        this.places = entries.length <= 2 * FEW ? Map.of() : new HashMap<>();
        for (int i = 0; entries.length > 2 * FEW && i < entries.length; i += 2) {
            places.put(keyAt(i), i);
        }
    }

    int height() {
        return height;
    }

    private int place(@Nullable Object key) {
        if (!(key instanceof String wanted)) {
            return -1;
        }
        if (entries.length > 2 * FEW) {
            return places.getOrDefault(wanted, -1);
        }
        int length = wanted.length();
        for (int i = 0; i < entries.length; i += 2) {
            // Most other keys have another length, which is cheaper to compare.
            if (entries[i] instanceof String found && found.length() == length && found.equals(wanted)) {
                return i;
            }
        }
        return -1;
    }

    private String keyAt(int place) {
        return String.valueOf(entries[place]);
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        int place = place(key);
        return place < 0 ? null : entries[place + 1];
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return place(key) >= 0;
    }

    @Override
    public int size() {
        return entries.length / 2;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
        for (int i = 0; i < entries.length; i += 2) {
            action.accept(keyAt(i), entries[i + 1]);
        }
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return FrozenMap.this.size();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, @Nullable Object>> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < entries.length;
        }

        @Override
        public Map.Entry<String, @Nullable Object> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Map.Entry<String, @Nullable Object> entry = new SimpleImmutableEntry<>(keyAt(next), entries[next + 1]);
            next += 2;
            return entry;
        }
    }
}
