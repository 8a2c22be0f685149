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
 * An immutable map of a document, with everything in it, in the order in which it was written: a tree that holds it
 * need not copy it again. Its entries stand in one array, because a cluster's documents are mostly small maps and there are
 * many of them.
 */
final class FrozenMap extends AbstractMap<String, @Nullable Object> {
    /** Beyond so many entries a search one by one takes longer than a hash. */
    private static final int FEW = 12;

    /** Keys and values in turn. */
    private final @Nullable Object[] entries;

    /** Where the keys stand, if there are more than a few. */
    private final Map<Object, Integer> places;

    private final int height;

    /**
     * @param entries keys, which are text, and values in turn; not to be changed any more
     * @param height how many levels of maps and lists are below this one
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
            // Most keys that are not the one that is looked for are of another length, which costs less to see.
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
