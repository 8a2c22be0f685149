package io.volume4j.core.tables;

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A hash map in insertion order, which needs a third of the memory of a {@link java.util.LinkedHashMap}. Keys and
 * values are in one array, and a table of entry numbers finds them. A few entries need no table.
 *
 * <p>As in that class, a key that is put again keeps its place, and a key that was removed and is put again comes last.
 * Iterators fail after a change of the map. There are differences: iterators cannot remove, and neither keys nor values
 * are null. If most of many entries were removed, finding the first one takes time in proportion to the original
 * number. Not thread-safe.
 */
public final class DenseMap<K, V> extends AbstractMap<K, V> {
    /** Up to this number of entries, a search compares them one by one. */
    private static final int WITHOUT_TABLE = 16;

    private static final int LEAST_ROOM = 4;
    /** An empty map that had more entries than this releases its memory: such a flood may not happen again. */
    private static final int FLOOD = 1024;

    private static final int[] NO_TABLE = {};

    /** Key and value of each entry; both null for a removed entry. */
    private @Nullable Object[] entries;
    /**
     * For each entry, at the first free slot from its hash on: the low bits are its number from 1, and the others are
     * bits of its hash. 0 is free. The size is a power of two, so that one bit mask separates both; at most three
     * quarters of the slots are used.
     */
    private int[] table = NO_TABLE;
    /** While there is a table, the hash of each entry, so that moving an entry in the table does not need its key. */
    private int[] hashes = NO_TABLE;
    /** Used entries, including removed ones. */
    private int used;

    private int size;
    private int changes;

    public DenseMap() {
        entries = new @Nullable Object[0];
    }

    /** A map that has exactly enough space for this number of keys. */
    public DenseMap(int room) {
        entries = new @Nullable Object[2 * room];
    }

    /** A copy without spare space. */
    public DenseMap(Map<? extends K, ? extends V> from) {
        this(from.size());
        from.forEach(this::put);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key != null && find(key, tableHash(key)) >= 0;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int at = key == null ? -1 : find(key, tableHash(key));
        return at < 0 ? null : value(at);
    }

    @Override
    public @Nullable V put(K key, V value) {
        Objects.requireNonNull(value, "value");
        int hash = tableHash(key);
        int at = find(key, hash);
        if (at >= 0) {
            V before = value(at);
            entries[2 * at + 1] = value;
            return before;
        }
        append(key, hash, value);
        return null;
    }

    @Override
    public V computeIfAbsent(K key, Function<? super K, ? extends V> made) {
        int hash = tableHash(key);
        int at = find(key, hash);
        if (at >= 0) {
            return value(at);
        }
        int expected = changes;
        V value = Objects.requireNonNull(made.apply(key), "value");
        requireUnchanged(expected);
        append(key, hash, value);
        return value;
    }

    private void append(K key, int hash, V value) {
        if (2 * used == entries.length) {
            makeRoom();
        }
        entries[2 * used] = key;
        entries[2 * used + 1] = value;
        used++;
        size++;
        changes++;
        if (table.length > 0) {
            hashes[used - 1] = hash;
            if (4L * used <= 3L * table.length) {
                enter(hash, used);
            } else {
                buildTable();
            }
        } else if (used > WITHOUT_TABLE) {
            hashAll();
            buildTable();
        }
    }

    @Override
    public @Nullable V remove(@Nullable Object key) {
        int at = key == null ? -1 : find(key, tableHash(key));
        if (key == null || at < 0) {
            return null;
        }
        V removed = value(at);
        if (table.length > 0) {
            leave(hashes[at], at + 1);
        }
        entries[2 * at] = null;
        entries[2 * at + 1] = null;
        size--;
        changes++;
        if (size == 0 && entries.length > 2 * FLOOD) {
            clear();
        }
        while (used > 0 && entries[2 * used - 2] == null) {
            used--;
        }
        return removed;
    }

    @Override
    public void clear() {
        entries = new @Nullable Object[0];
        table = NO_TABLE;
        hashes = NO_TABLE;
        used = 0;
        size = 0;
        changes++;
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super V> action) {
        int expected = changes;
        for (int at = 0; at < used; at++) {
            if (entries[2 * at] != null) {
                action.accept(key(at), value(at));
                requireUnchanged(expected);
            }
        }
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<K, V>> iterator() {
                return new Places<>(at -> new SimpleImmutableEntry<>(key(at), value(at)));
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    /** The keys, in the order of the entries. Iteration does not create entry objects. */
    @Override
    public Set<K> keySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<K> iterator() {
                return new Places<>(DenseMap.this::key);
            }

            @Override
            public boolean contains(@Nullable Object key) {
                return containsKey(key);
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    /** The values, in the order of the entries. Iteration does not create entry objects. */
    @Override
    public Collection<V> values() {
        return new AbstractCollection<>() {
            @Override
            public Iterator<V> iterator() {
                return new Places<>(DenseMap.this::value);
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    /** The number of the key's entry, -1 if there is none. */
    private int find(Object key, int hash) {
        if (table.length == 0) {
            for (int at = 0; at < used; at++) {
                if (key.equals(entries[2 * at])) {
                    return at;
                }
            }
            return -1;
        }
        int mask = table.length - 1;
        for (int i = hash & mask; table[i] != 0; i = (i + 1) & mask) {
            if (((table[i] ^ hash) & ~mask) == 0) {
                int at = (table[i] & mask) - 1;
                if (key.equals(entries[2 * at])) {
                    return at;
                }
            }
        }
        return -1;
    }

    /** The hash of the key, or any number if there is no table. */
    private int tableHash(Object key) {
        return table.length == 0 ? 0 : hash(key);
    }

    /** Mixes all bits of the hash: the low ones select the slot, and the table stores the high ones. */
    private static int hash(Object key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return hash ^ (hash >>> 15);
    }

    private void enter(int hash, int number) {
        int mask = table.length - 1;
        int i = hash & mask;
        while (table[i] != 0) {
            i = (i + 1) & mask;
        }
        table[i] = (hash & ~mask) | number;
    }

    /** Moves later entries back that a search would not find after the free slot. */
    private void leave(int hash, int number) {
        int mask = table.length - 1;
        int free = hash & mask;
        while ((table[free] & mask) != number) {
            free = (free + 1) & mask;
        }
        int next = (free + 1) & mask;
        while (table[next] != 0) {
            int home = hashes[(table[next] & mask) - 1] & mask;
            if (((next - home) & mask) >= ((next - free) & mask)) {
                table[free] = table[next];
                free = next;
            }
            next = (next + 1) & mask;
        }
        table[free] = 0;
    }

    /** Removes the gaps if there are many, otherwise grows by half. */
    private void makeRoom() {
        int room = size < used - used / 4 ? Math.max(used, LEAST_ROOM) : Math.max(used + used / 2 + 1, LEAST_ROOM);
        if (size < used / 4) {
            room = Math.max(used / 2, LEAST_ROOM);
        }
        @Nullable Object[] moved = new @Nullable Object[2 * room];
        boolean found = table.length > 0;
        int[] movedHashes = found ? new int[room] : NO_TABLE;
        int to = 0;
        for (int at = 0; at < used; at++) {
            if (entries[2 * at] != null) {
                moved[2 * to] = entries[2 * at];
                moved[2 * to + 1] = entries[2 * at + 1];
                if (found) {
                    movedHashes[to] = hashes[at];
                }
                to++;
            }
        }
        boolean renumbered = size < used;
        entries = moved;
        hashes = movedHashes;
        used = size;
        if (renumbered && found) {
            buildTable();
        }
    }

    private void hashAll() {
        hashes = new int[entries.length / 2];
        for (int at = 0; at < used; at++) {
            Object key = entries[2 * at];
            if (key != null) {
                hashes[at] = hash(key);
            }
        }
    }

    /** For the existing entries, including removed ones, and one more. */
    private void buildTable() {
        if (used < WITHOUT_TABLE) {
            table = NO_TABLE;
            hashes = NO_TABLE;
            return;
        }
        int length = Integer.highestOneBit(used * 4 / 3 + 1) * 2;
        if (table.length == length) {
            Arrays.fill(table, 0);
        } else {
            table = new int[length];
        }
        for (int at = 0; at < used; at++) {
            if (entries[2 * at] != null) {
                enter(hashes[at], at + 1);
            }
        }
    }

    private void requireUnchanged(int expected) {
        if (changes != expected) {
            throw new ConcurrentModificationException();
        }
    }

    @SuppressWarnings("unchecked") // Only put writes there, and only what its types say.
    private K key(int at) {
        return (K) Objects.requireNonNull(entries[2 * at]);
    }

    @SuppressWarnings("unchecked") // As above.
    private V value(int at) {
        return (V) Objects.requireNonNull(entries[2 * at + 1]);
    }

    /** Iterates over the entries, and returns the result of a function for each. */
    private final class Places<T> implements Iterator<T> {
        private final int expected = changes;
        private final IntFunction<T> found;
        private int next;

        Places(IntFunction<T> found) {
            this.found = found;
        }

        @Override
        public boolean hasNext() {
            while (next < used && entries[2 * next] == null) {
                next++;
            }
            return next < used;
        }

        @Override
        public T next() {
            requireUnchanged(expected);
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return found.apply(next++);
        }
    }
}
