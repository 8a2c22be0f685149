package io.volume4j.core.tables;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Maps each key to its elements. A single element, the usual case, is stored in the table itself. Keys are in the
 * order of their first elements, and the elements of a key in the order of their insertion. Not thread-safe.
 */
public final class DenseIndex<K, E> {
    /** An element, or {@link Several} of them. */
    private final Map<K, Object> byKey = new DenseMap<>();

    private static final class Several<E> {
        private final Map<E, Boolean> elements = new DenseMap<>();
    }

    /** Adds the element to the key, unless it is there. */
    public void add(K key, E element) {
        Object before = byKey.putIfAbsent(key, element);
        if (before instanceof Several<?>) {
            several(before).elements.put(element, true);
        } else if (before != null && !before.equals(element)) {
            Several<E> several = new Several<>();
            several.elements.put(only(before), true);
            several.elements.put(element, true);
            byKey.put(key, several);
        }
    }

    /** Removes the element from the key. Removes a key without elements. */
    public void remove(K key, E element) {
        Object before = byKey.get(key);
        if (before instanceof Several<?>) {
            Map<E, Boolean> elements = several(before).elements;
            elements.remove(element);
            if (elements.isEmpty()) {
                byKey.remove(key);
            }
        } else if (Objects.equals(before, element)) {
            byKey.remove(key);
        }
    }

    /** The elements of the key. The caller must not iterate while they change. */
    public Set<E> get(K key) {
        @Nullable Object found = byKey.get(key);
        if (found == null) {
            return Set.of();
        }
        return found instanceof Several<?>
                ? Collections.unmodifiableSet(several(found).elements.keySet())
                : Set.of(only(found));
    }

    public boolean containsKey(K key) {
        return byKey.containsKey(key);
    }

    /** The keys with elements. The caller must not iterate while they change. */
    public Set<K> keys() {
        return Collections.unmodifiableSet(byKey.keySet());
    }

    @SuppressWarnings("unchecked") // Only add writes there, and only what its types say.
    private Several<E> several(Object value) {
        return (Several<E>) value;
    }

    @SuppressWarnings("unchecked") // As above.
    private E only(Object value) {
        return (E) value;
    }
}
