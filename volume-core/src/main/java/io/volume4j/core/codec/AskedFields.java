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
 * A document that remembers which of its fields the reader asked for, to find fields with misspelt names: a field that
 * the reader did not ask for, at a place where it asked for one with nearly the same name. A field whose name resembles no
 * other may be one that volume4j does not model, and is none of its business. Not thread-safe.
 */
final class AskedFields extends AbstractMap<String, @Nullable Object> {
    /** Names that are shorter than this may differ in one letter, others in two. */
    private static final int SHORT = 8;

    private final Map<?, ?> from;
    private final Map<String, @Nullable Object> children = new LinkedHashMap<>();
    private final Set<String> asked = new TreeSet<>();
    /** Whether its keys are free, as those of labels are. */
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

    /** Looking which fields there are makes none of them a free one. */
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

    /** The misspelt fields of the whole document, of which the root has no free keys. */
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

    /** How many letters one must insert, leave out or replace to make one name of the other. */
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
