package io.volume4j.core.codec;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A document that records which fields the reader requested, to find fields with misspelt names. A field is misspelt
 * if the reader did not request it, but requested one with nearly the same name in the same object. A field with
 * another name may be one that volume4j does not model, and causes no error. Not thread-safe.
 */
final class AskedFields extends AbstractMap<String, @Nullable Object> {
    /** A shorter name may differ in one letter, a longer one in two. */
    private static final int SHORT = 8;

    private final Map<?, ?> from;
    private final Map<String, @Nullable Object> children = new LinkedHashMap<>();
    private final Set<String> asked = new TreeSet<>();
    /** Whether its keys are free, like those of labels. */
    private boolean free;

    AskedFields(Map<?, ?> from) {
        this.from = from;
        from.forEach((key, value) -> children.put(String.valueOf(key), watched(value)));
    }

    private static @Nullable Object watched(@Nullable Object value) {
        if (value instanceof Map<?, ?> object) {
            return new AskedFields(object);
        }
        if (value instanceof List<?> items) {
            List<@Nullable Object> watched = new ArrayList<>(items.size());
            items.forEach(item -> watched.add(watched(item)));
            return watched;
        }
        return value;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        String name = String.valueOf(key);
        asked.add(name);
        return children.get(name);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return children.containsKey(String.valueOf(key));
    }

    /** Reading the names of the fields does not make the keys free. */
    @Override
    public Set<String> keySet() {
        return children.keySet();
    }

    @Override
    public Set<Entry<String, @Nullable Object>> entrySet() {
        free = true;
        return children.entrySet();
    }

    @Override
    public int size() {
        return from.size();
    }

    /** The misspelt fields of the whole document. The keys of the root are not free. */
    List<InvalidField> misspelt() {
        free = false;
        List<InvalidField> found = new ArrayList<>();
        misspelt(FieldPath.ROOT, found);
        return found;
    }

    private void misspelt(FieldPath path, List<InvalidField> found) {
        children.forEach((name, value) -> {
            if (asked.contains(name)) {
                below(value, path.field(name), found);
            } else if (!free) {
                nearest(name)
                        .ifPresent(known -> found.add(new InvalidField(
                                path.field(name), "is not known and has no effect: did you mean " + known + "?")));
            }
        });
    }

    private static void below(@Nullable Object value, FieldPath path, List<InvalidField> found) {
        if (value instanceof AskedFields object) {
            object.misspelt(path, found);
        } else if (value instanceof List<?> items) {
            for (int i = 0; i < items.size(); i++) {
                below(items.get(i), path.item(i), found);
            }
        }
    }

    private Optional<String> nearest(String name) {
        int most = name.length() < SHORT ? 1 : 2;
        @Nullable String best = null;
        int least = most + 1;
        for (String known : asked) {
            int far = known.equalsIgnoreCase(name) ? 0 : distance(known, name);
            if (far < least) {
                least = far;
                best = known;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The number of letters that one must insert, delete or replace to change one name into the other. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
