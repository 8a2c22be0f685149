package io.volume4j.core.codec;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Documents as plain trees: {@code Map} with text keys, {@code List}, {@code String}, {@code Number}, {@code Boolean}
 * and null, in the order in which they were written.
 */
final class Trees {
    /** Deeper than any manifest, shallower than any stack. */
    static final int MAX_DEPTH = 32;

    static final String TOO_DEEP = "is nested too deeply: at most " + MAX_DEPTH + " levels are read";

    private Trees() {}

    /** A copy that nobody can change; refuses what is no document. */
    static Map<String, @Nullable Object> frozen(Map<?, ?> document) {
        return frozenMap(document, FieldPath.ROOT, 1);
    }

    private static Frozen frozenMap(Map<?, ?> map, FieldPath path, int depth) {
        if (map instanceof Frozen frozen && depth + frozen.height <= MAX_DEPTH) {
            return frozen;
        }
        checkDepth(path, depth);
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        int height = 0;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!(entry.getKey() instanceof String key)) {
                throw new InvalidField(path, "has a key that is not text");
            }
            @Nullable Object value = frozenValue(entry.getValue(), path.field(key), depth);
            height = Math.max(height, heightOf(value));
            copy.put(key, value);
        }
        return new Frozen(copy, height);
    }

    /** How many levels of maps and lists are in it, itself included. */
    private static int heightOf(@Nullable Object value) {
        if (value instanceof Frozen frozen) {
            return frozen.height + 1;
        }
        int height = 0;
        if (value instanceof List<?> list) {
            for (Object item : list) {
                height = Math.max(height, heightOf(item));
            }
            height++;
        }
        return height;
    }

    /** A map that was frozen before, with everything in it: a tree that holds it need not copy it again. */
    private static final class Frozen extends AbstractMap<String, @Nullable Object> {
        private final Map<String, @Nullable Object> entries;
        private final int height;

        /** @param height how many levels of maps and lists are below this one */
        Frozen(Map<String, @Nullable Object> entries, int height) {
            this.entries = Collections.unmodifiableMap(entries);
            this.height = height;
        }

        @Override
        public Set<Entry<String, @Nullable Object>> entrySet() {
            return entries.entrySet();
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            return entries.get(key);
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return entries.containsKey(key);
        }

        @Override
        public Set<String> keySet() {
            return entries.keySet();
        }

        @Override
        public int size() {
            return entries.size();
        }
    }

    private static @Nullable Object frozenValue(@Nullable Object value, FieldPath path, int depth) {
        if (value instanceof Map<?, ?> map) {
            return frozenMap(map, path, depth + 1);
        }
        if (value instanceof List<?> list) {
            checkDepth(path, depth + 1);
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            for (int i = 0; i < list.size(); i++) {
                copy.add(frozenValue(list.get(i), path.item(i), depth + 1));
            }
            return Collections.unmodifiableList(copy);
        }
        if (value == null || isScalar(value)) {
            return value;
        }
        throw new InvalidField(
                path, "is of a type that no manifest holds: " + value.getClass().getName());
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

    /** A copy that its holder may change. */
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

    /** A map of a tree, whose keys are text, seen as such. */
    static Map<String, @Nullable Object> typed(Map<?, ?> map) {
        Map<String, @Nullable Object> typed = new LinkedHashMap<>();
        map.forEach((key, value) -> typed.put((String) key, value));
        return Collections.unmodifiableMap(typed);
    }
}
