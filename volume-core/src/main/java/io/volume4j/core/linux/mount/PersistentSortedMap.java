package io.volume4j.core.linux.mount;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map. A change returns a new map, which shares all nodes of the old one except for the path to
 * the change. So a snapshot is free, and one more entry costs the depth of the tree. An AVL tree: the heights of two
 * siblings differ by at most one.
 */
final class PersistentSortedMap<K, V> {
    /** Receives values in order, and returns whether it wants more. */
    interface Visitor<K, V> {
        boolean visit(K key, V value);
    }

    private final Comparator<? super K> order;
    private final @Nullable Node<K, V> root;

    private PersistentSortedMap(Comparator<? super K> order, @Nullable Node<K, V> root) {
        this.order = order;
        this.root = root;
    }

    static <K, V> PersistentSortedMap<K, V> empty(Comparator<? super K> order) {
        return new PersistentSortedMap<>(order, null);
    }

    /** A map of distinct keys that are already in order. The lists of keys and values have the same length. */
    static <K, V> PersistentSortedMap<K, V> of(Comparator<? super K> order, List<K> keys, List<V> values) {
        return new PersistentSortedMap<>(order, balanced(keys, values, 0, keys.size()));
    }

    @Nullable
    V get(K key) {
        Node<K, V> at = root;
        while (at != null) {
            int side = order.compare(key, at.key);
            if (side == 0) {
                return at.value;
            }
            at = side < 0 ? at.left : at.right;
        }
        return null;
    }

    PersistentSortedMap<K, V> with(K key, V value) {
        return new PersistentSortedMap<>(order, put(root, key, value));
    }

    PersistentSortedMap<K, V> without(K key) {
        return new PersistentSortedMap<>(order, remove(root, key));
    }

    /** Visits all entries from the key on, until the visitor wants no more. */
    void from(K key, Visitor<? super K, ? super V> visitor) {
        visit(root, key, visitor);
    }

    private boolean visit(@Nullable Node<K, V> at, K first, Visitor<? super K, ? super V> visitor) {
        if (at == null) {
            return true;
        }
        int side = order.compare(first, at.key);
        return (side >= 0 || visit(at.left, first, visitor))
                && (side > 0 || visitor.visit(at.key, at.value))
                && visit(at.right, first, visitor);
    }

    private static <K, V> @Nullable Node<K, V> balanced(List<K> keys, List<V> values, int from, int to) {
        if (from == to) {
            return null;
        }
        int middle = (from + to) >>> 1;
        return new Node<>(
                balanced(keys, values, from, middle),
                keys.get(middle),
                values.get(middle),
                balanced(keys, values, middle + 1, to));
    }

    private Node<K, V> put(@Nullable Node<K, V> at, K key, V value) {
        if (at == null) {
            return new Node<>(null, key, value, null);
        }
        int side = order.compare(key, at.key);
        if (side == 0) {
            return new Node<>(at.left, key, value, at.right);
        }
        return side < 0 ? level(put(at.left, key, value), at, at.right) : level(at.left, at, put(at.right, key, value));
    }

    private @Nullable Node<K, V> remove(@Nullable Node<K, V> at, K key) {
        if (at == null) {
            return null;
        }
        int side = order.compare(key, at.key);
        if (side < 0) {
            return level(remove(at.left, key), at, at.right);
        }
        if (side > 0) {
            return level(at.left, at, remove(at.right, key));
        }
        if (at.left == null) {
            return at.right;
        }
        if (at.right == null) {
            return at.left;
        }
        Node<K, V> next = at.right;
        while (next.left != null) {
            next = next.left;
        }
        return level(at.left, next, remove(at.right, next.key));
    }

    /** The balanced tree of an entry between two trees whose heights differ by at most two. */
    private static <K, V> Node<K, V> level(@Nullable Node<K, V> left, Node<K, V> entry, @Nullable Node<K, V> right) {
        if (left != null && left.height > height(right) + 1) {
            Node<K, V> inner = left.right;
            if (inner == null || height(left.left) >= inner.height) {
                return join(left.left, left, join(inner, entry, right));
            }
            return join(join(left.left, left, inner.left), inner, join(inner.right, entry, right));
        }
        if (right != null && right.height > height(left) + 1) {
            Node<K, V> inner = right.left;
            if (inner == null || height(right.right) >= inner.height) {
                return join(join(left, entry, inner), right, right.right);
            }
            return join(join(left, entry, inner.left), inner, join(inner.right, right, right.right));
        }
        return join(left, entry, right);
    }

    private static <K, V> Node<K, V> join(@Nullable Node<K, V> left, Node<K, V> entry, @Nullable Node<K, V> right) {
        return new Node<>(left, entry.key, entry.value, right);
    }

    private static int height(@Nullable Node<?, ?> node) {
        return node == null ? 0 : node.height;
    }

    private static final class Node<K, V> {
        final @Nullable Node<K, V> left;
        final K key;
        final V value;
        final @Nullable Node<K, V> right;
        final int height;

        Node(@Nullable Node<K, V> left, K key, V value, @Nullable Node<K, V> right) {
            this.left = left;
            this.key = key;
            this.value = value;
            this.right = right;
            this.height = 1 + Math.max(height(left), height(right));
        }
    }
}
