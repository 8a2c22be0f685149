package io.volume4j.core.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Documents as plain trees: {@code Map} with text keys, {@code List}, {@code String}, {@code Number}, {@code Boolean}
 * and null, in their original order.
 */
final class Trees {
    /** Deeper than any manifest, and safe for any stack. */
    static final int MAX_DEPTH = 32;

    static final String TOO_DEEP = "is nested too deeply: at most " + MAX_DEPTH + " levels are read";

    private Trees() {}

    /** An immutable copy. Fails if the map is not a document. */
    static Map<String, @Nullable Object> frozen(Map<?, ?> document) {
        return frozenMap(document, FieldPath.ROOT, 1);
    }

    private static FrozenMap frozenMap(Map<?, ?> map, FieldPath path, int depth) {
        if (map instanceof FrozenMap frozen && depth + frozen.height() <= MAX_DEPTH) {
            return frozen;
        }
        checkDepth(path, depth);
        Entries entries = new Entries(map.size());
        map.forEach((name, value) -> {
            if (!(name instanceof String key)) {
                throw new InvalidField(path, "has a key that is not text");
            }
            if (!Texts.isWhole(key)) {
                throw new InvalidField(path.field(key), Texts.HALF);
            }
            entries.add(key, isFrozen(value, depth) ? value : frozenValue(value, path.field(key), depth));
        });
        return new FrozenMap(entries.all, entries.height);
    }

    /** Keys and values alternately, and the number of levels of maps and lists in them. */
    private static final class Entries {
        private final @Nullable Object[] all;
        private int next;
        private int height;

        Entries(int size) {
            all = new @Nullable Object[2 * size];
        }

        void add(String key, @Nullable Object value) {
            all[next++] = key;
            all[next++] = value;
            height = Math.max(height, heightOf(value));
        }
    }

    /**
     * Whether the value needs no copy at that depth. This is true for most values, and their path need not be
     * computed.
     */
    private static boolean isFrozen(@Nullable Object value, int depth) {
        return value == null
                || (value instanceof String text && Texts.isWhole(text))
                || (!(value instanceof String) && isScalar(value))
                || (value instanceof FrozenMap map && depth + 1 + map.height() <= MAX_DEPTH)
                || (value instanceof FrozenList list && depth + 1 + list.height() <= MAX_DEPTH);
    }

    /** The number of levels of maps and lists in the value, including itself. */
    private static int heightOf(@Nullable Object value) {
        if (value instanceof FrozenMap frozen) {
            return frozen.height() + 1;
        }
        return value instanceof FrozenList frozen ? frozen.height() + 1 : 0;
    }

    private static @Nullable Object frozenValue(@Nullable Object value, FieldPath path, int depth) {
        if (value instanceof Map<?, ?> map) {
            return frozenMap(map, path, depth + 1);
        }
        if (value instanceof List<?> list) {
            return frozenList(list, path, depth + 1);
        }
        if (value instanceof String text && !Texts.isWhole(text)) {
            throw new InvalidField(path, Texts.HALF);
        }
        if (value == null || isScalar(value)) {
            return value;
        }
        throw new InvalidField(
                path, "is of a type that no manifest holds: " + value.getClass().getName());
    }

    private static FrozenList frozenList(List<?> list, FieldPath path, int depth) {
        if (list instanceof FrozenList frozen && depth + frozen.height() <= MAX_DEPTH) {
            return frozen;
        }
        checkDepth(path, depth);
        @Nullable Object[] items = new @Nullable Object[list.size()];
        int height = 0;
        for (int i = 0; i < items.length; i++) {
            items[i] = frozenValue(list.get(i), path.item(i), depth);
            height = Math.max(height, heightOf(items[i]));
        }
        return new FrozenList(items, height);
    }

    private static void checkDepth(FieldPath path, int depth) {
        if (depth > MAX_DEPTH) {
            throw new InvalidField(path, TOO_DEEP);
        }
    }

    private static boolean isScalar(Object value) {
        return value instanceof String
                || value instanceof Boolean
                || value instanceof Integer
                || value instanceof Long
                || value instanceof BigInteger
                || value instanceof BigDecimal
                || value instanceof Double
                || value instanceof Float
                || value instanceof Short
                || value instanceof Byte;
    }

    /** A mutable copy. */
    static @Nullable Object copied(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return copiedMap(map);
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(item -> copy.add(copied(item)));
            return copy;
        }
        return value;
    }

    static Map<String, @Nullable Object> copiedMap(Map<?, ?> map) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), copied(value)));
        return copy;
    }

    /** A map of a tree, whose keys are text, with that type. */
    static Map<String, @Nullable Object> typed(Map<?, ?> map) {
        Map<String, @Nullable Object> typed = new LinkedHashMap<>();
        map.forEach((key, value) -> typed.put((String) key, value));
        return Collections.unmodifiableMap(typed);
    }
}
