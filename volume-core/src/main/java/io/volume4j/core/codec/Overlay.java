package io.volume4j.core.codec;

import com.google.common.collect.Iterables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies an object's fields to the document from which it was read. Changes only what differs between {@code before},
 * the fields as read from the document, and {@code after}, those of the object. So the document of an unchanged object
 * stays as it was written, including defaults, notation and unknown fields.
 */
final class Overlay {
    /** The fields that identify an element of a list; the first existing one counts. */
    private static final List<String> IDENTITIES = List.of("uid", "mountPath", "name", "type", "key");

    private Overlay() {}

    static Map<String, @Nullable Object> lay(Map<?, ?> document, Written before, Written after) {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        document.forEach((name, value) -> {
            String key = String.valueOf(name);
            @Nullable Object was = before.fields().get(key);
            @Nullable Object is = after.fields().get(key);
            if (Objects.equals(was, is)) {
                result.put(key, Trees.copied(value));
            } else if (is != null) {
                put(result, key, value(value, was, is), is);
            }
        });
        after.fields().forEach((key, is) -> {
            @Nullable Object was = before.fields().get(key);
            if (!document.containsKey(key) && !is.equals(was)) {
                put(result, key, value(null, was, is), is);
            }
        });
        return result;
    }

    /** Omits an object without fields, unless its presence has a meaning. */
    private static void put(Map<String, @Nullable Object> result, String key, @Nullable Object value, Object is) {
        boolean nothing = value instanceof Map<?, ?> map && map.isEmpty();
        if (!(nothing && is instanceof Written written && written.partial())) {
            result.put(key, value);
        }
    }

    private static @Nullable Object value(@Nullable Object document, @Nullable Object was, Object is) {
        if (is instanceof Written after) {
            // A value that only came from a default is not in the document, so the whole object must be written.
            boolean there = document instanceof Map && (was != null || after.partial());
            return lay(
                    there ? (Map<?, ?>) Objects.requireNonNull(document) : Map.of(),
                    there && was instanceof Written before ? before : Written.whole(),
                    after);
        }
        if (is instanceof List<?> after && after.stream().allMatch(Written.class::isInstance)) {
            return list(
                    document instanceof List<?> items ? items : List.of(),
                    was instanceof List<?> before ? written(before) : List.of(),
                    written(after));
        }
        return Trees.copied(is);
    }

    private static List<Written> written(List<?> items) {
        return items.stream().map(Written.class::cast).toList();
    }

    /**
     * Applies each element to the element of the document from which it was read. Elements of the document that were
     * not read stay in their places. The others take the places of the elements that were read, in the order of the
     * object.
     */
    private static List<@Nullable Object> list(List<?> document, List<Written> before, List<Written> after) {
        int[] origins = origins(document, before);
        int[] sources = sources(before, after);
        List<@Nullable Object> laid = new ArrayList<>(after.size());
        for (int i = 0; i < after.size(); i++) {
            Written was = sources[i] < 0 ? null : before.get(sources[i]);
            int origin = sources[i] < 0 ? -1 : origins[sources[i]];
            laid.add(value(origin < 0 ? null : document.get(origin), was, after.get(i)));
        }
        List<@Nullable Object> result = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < document.size(); i++) {
            int place = i;
            if (Arrays.stream(origins).noneMatch(origin -> origin == place)) {
                result.add(Trees.copied(document.get(i)));
            } else if (next < laid.size()) {
                result.add(laid.get(next++));
            }
        }
        result.addAll(laid.subList(next, laid.size()));
        return result;
    }

    /** For each element that was read, its index in the document; -1 for one that only came from a default. */
    private static int[] origins(List<?> document, List<Written> before) {
        int[] origins = new int[before.size()];
        Arrays.setAll(origins, i -> {
            Identity identity = identity(before.get(i));
            if (identity == null) {
                return document.size() == before.size() ? i : -1;
            }
            return i < document.size() && identity.isOf(document.get(i))
                    ? i
                    : Iterables.indexOf(document, identity::isOf);
        });
        return origins;
    }

    /**
     * For each element of the object, the index of its earlier element, or -1. An equal element counts first, then one
     * with the same identity. An element without an identity may also match the one at the same index, if the size of
     * the list did not change.
     */
    private static int[] sources(List<Written> before, List<Written> after) {
        int[] sources = new int[after.size()];
        boolean[] taken = new boolean[before.size()];
        Arrays.fill(sources, -1);
        match(sources, taken, before, after, (was, is) -> was.equals(is));
        match(sources, taken, before, after, (was, is) -> {
            Identity identity = identity(is);
            return identity != null && identity.equals(identity(was));
        });
        for (int i = 0; i < after.size() && before.size() == after.size(); i++) {
            if (sources[i] < 0 && !taken[i] && identity(after.get(i)) == null) {
                sources[i] = i;
                taken[i] = true;
            }
        }
        return sources;
    }

    private interface Same {
        boolean test(Written was, Written is);
    }

    private static void match(int[] sources, boolean[] taken, List<Written> before, List<Written> after, Same same) {
        for (int i = 0; i < after.size(); i++) {
            for (int j = 0; j < before.size() && sources[i] < 0; j++) {
                if (!taken[j] && same.test(before.get(j), after.get(i))) {
                    sources[i] = j;
                    taken[j] = true;
                }
            }
        }
    }

    private static @Nullable Identity identity(Written element) {
        for (String key : IDENTITIES) {
            @Nullable Object value = element.fields().get(key);
            if (value != null) {
                return new Identity(key, value);
            }
        }
        return null;
    }

    private record Identity(String key, Object value) {
        boolean isOf(@Nullable Object element) {
            return element instanceof Map<?, ?> map && value.equals(map.get(key));
        }
    }
}
