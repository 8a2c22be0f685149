package io.volume4j.core.node;

import io.volume4j.core.tables.DenseMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * Maps and sets that nearly always hold one thing, of which a node has several for each of its volumes: with one they take a
 * quarter of the room of a hash table, and have no order that could differ. In the order in which things came. Only what a method returns counts from then on; it
 * is not to be changed otherwise.
 */
final class Few {
    private Few() {}

    static <K, V> Map<K, V> without(Map<K, V> map, K key) {
        if (!map.containsKey(key)) {
            return map;
        }
        if (map.size() == 1) {
            return Map.of();
        }
        map.remove(key);
        return map;
    }

    static <T> Set<T> with(Set<T> set, T element) {
        if (set.contains(element)) {
            return set;
        }
        if (set.isEmpty()) {
            return Set.of(element);
        }
        if (set.size() > 1) {
            set.add(element);
            return set;
        }
        Set<T> more = Collections.newSetFromMap(new DenseMap<>());
        more.addAll(set);
        more.add(element);
        return more;
    }

    static <T> Set<T> without(Set<T> set, T element) {
        if (!set.contains(element)) {
            return set;
        }
        if (set.size() == 1) {
            return Set.of();
        }
        set.remove(element);
        return set;
    }

    /** A copy that nobody changes. */
    static <K, V> Map<K, V> copy(Map<K, V> map) {
        if (map.isEmpty()) {
            return Map.of();
        }
        if (map.size() == 1) {
            Map.Entry<K, V> only = map.entrySet().iterator().next();
            return Map.of(only.getKey(), only.getValue());
        }
        return Collections.unmodifiableMap(new DenseMap<>(map));
    }
}
