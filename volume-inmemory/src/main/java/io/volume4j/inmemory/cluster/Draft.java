package io.volume4j.inmemory.cluster;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A mutable map of fields of a tree, in the order of insertion. It exists for one request and is mostly small, so its fields are
 * in one array. Not thread-safe.
 */
final class Draft extends AbstractMap<String, @Nullable Object> {
    /** With more fields a hash is faster than a linear search. */
    private static final int FEW = 12;

    /** Keys and values alternate. */
    private @Nullable Object[] fields;

    private int size;

    /** Indexes of the fields; null while there are few. */
    private @Nullable Map<Object, Integer> places;

    /** A copy, which shares the values. */
    Draft(Map<?, ?> from) {
        fields = new @Nullable Object[2 * from.size() + 4];
        from.forEach((key, value) -> {
            if (key instanceof String text) {
                append(text, value);
            } else {
                put(String.valueOf(key), value);
            }
        });
    }

    private void append(String key, @Nullable Object value) {
        if (2 * size == fields.length) {
            fields = Arrays.copyOf(fields, 2 * fields.length);
        }
        fields[2 * size] = key;
        fields[2 * size + 1] = value;
        if (places != null) {
            places.put(key, size);
        }
        size++;
        if (places == null && size > FEW) {
            index();
        }
    }

    private void index() {
        Map<Object, Integer> all = new HashMap<>();
        for (int i = 0; i < size; i++) {
            all.put(keyAt(i), i);
        }
        places = all;
    }

    private String keyAt(int place) {
        return String.valueOf(fields[2 * place]);
    }

    private int place(@Nullable Object key) {
        if (places != null) {
            @Nullable Integer known = places.get(key);
            return known == null ? -1 : known;
        }
        if (!(key instanceof String wanted)) {
            return -1;
        }
        int length = wanted.length();
        for (int i = 0; i < size; i++) {
            // Most other keys have another length, which is cheaper to compare.
            if (fields[2 * i] instanceof String found && found.length() == length && found.equals(wanted)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return place(key) >= 0;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        int place = place(key);
        return place < 0 ? null : fields[2 * place + 1];
    }

    @Override
    public @Nullable Object put(String key, @Nullable Object value) {
        int place = place(key);
        if (place < 0) {
            append(key, value);
            return null;
        }
        @Nullable Object before = fields[2 * place + 1];
        fields[2 * place + 1] = value;
        return before;
    }

    @Override
    public @Nullable Object remove(@Nullable Object key) {
        int place = place(key);
        if (place < 0) {
            return null;
        }
        @Nullable Object before = fields[2 * place + 1];
        removeAt(place);
        return before;
    }

    private void removeAt(int place) {
        System.arraycopy(fields, 2 * place + 2, fields, 2 * place, 2 * (size - place - 1));
        size--;
        fields[2 * size] = null;
        fields[2 * size + 1] = null;
        if (places != null) {
            index();
        }
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
        for (int i = 0; i < size; i++) {
            action.accept(keyAt(i), fields[2 * i + 1]);
        }
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
                return new Fields();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    /** Read-only entries: callers do not change a draft through them. */
    private final class Fields implements Iterator<Map.Entry<String, @Nullable Object>> {
        private int next;

        @Override
        public boolean hasNext() {
            return next < size;
        }

        @Override
        public Map.Entry<String, @Nullable Object> next() {
            if (next >= size) {
                throw new NoSuchElementException();
            }
            Map.Entry<String, @Nullable Object> entry = new SimpleImmutableEntry<>(keyAt(next), fields[2 * next + 1]);
            next++;
            return entry;
        }
    }
}
