package io.volume4j.spi.host;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A change of some fields of an object. All other fields stay as they are stored, also those that the library does not
 * know.
 *
 * @param status whether the fields are those of the {@code status}, which stores keep apart; a patch changes either
 *     status fields or others
 * @param changes applied in order
 * @since 0.1.0
 */
public record Patch(Preconditions preconditions, boolean status, List<FieldChange> changes) {
    private static final Set<String> STORES_OWN = Set.of(
            "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp");

    public Patch {
        Objects.requireNonNull(preconditions, "preconditions");
        changes = List.copyOf(changes);
    }

    /**
     * What the patch makes of a stored object, so that a host's store need not know what patches mean. Preconditions are the store's
     * to check before, and {@link #refusal()} too.
     *
     * @param tree the object's document: maps with text keys, lists, text, numbers, booleans and nulls; not changed
     * @return a document that shares with the tree what does not change; its maps along the changed paths are new
     * @throws ClusterException invalid, if a path goes through what is no map of fields
     */
    public Map<String, @Nullable Object> applyTo(Map<String, @Nullable Object> tree) {
        Set<Map<?, ?>> own = Collections.newSetFromMap(new IdentityHashMap<>());
        Map<String, @Nullable Object> result = copy(tree);
        for (FieldChange change : changes) {
            change.applyTo(result, child -> {
                if (own.contains(child)) {
                    return owned(child);
                }
                Map<String, @Nullable Object> made = copy(child);
                own.add(made);
                return made;
            });
        }
        return result;
    }

    /**
     * Why no store may take the patch, empty if it may: status and other fields are not changed together, and what the store itself
     * writes ({@code kind}, {@code metadata.name}, {@code metadata.uid}, …) is not the caller's to change.
     */
    public Optional<String> refusal() {
        for (FieldChange change : changes) {
            List<String> path = change.path();
            String first = path.get(0);
            if (first.equals("status") != status) {
                return Optional.of(path + " cannot be changed together with " + (status ? "the status" : "the rest"));
            }
            boolean stores = first.equals("apiVersion")
                    || first.equals("kind")
                    || (first.equals("metadata") && (path.size() == 1 || STORES_OWN.contains(path.get(1))));
            if (stores) {
                return Optional.of(path + " is not the caller's to change");
            }
        }
        return Optional.empty();
    }

    private static Map<String, @Nullable Object> copy(Map<?, ?> from) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        from.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return copy;
    }

    @SuppressWarnings("unchecked") // only maps that copy(…) made come here
    private static Map<String, @Nullable Object> owned(Map<?, ?> child) {
        return (Map<String, @Nullable Object>) child;
    }

    /**
     * Sets or removes one field.
     *
     * @param path names from the top of the document, such as {@code spec}, {@code volumeName}; missing parents are made
     * @param value a {@code String}, {@code Number}, {@code Boolean}, {@code List} or {@code Map} of such, which replaces what
     *     is there and is not merged with it; null removes, and what is not there is removed already
     */
    public record FieldChange(List<String> path, @Nullable Object value) {
        public FieldChange {
            if (path.isEmpty()) {
                throw new IllegalArgumentException("a field change needs a path");
            }
            path = List.copyOf(path);
        }

        /**
         * Makes the change in a document.
         *
         * @param tree the top of the document, which is changed
         * @param own gives a map that may be changed, of a map on the path, and may return that map itself; replaces it in the
         *     document
         * @throws ClusterException invalid, if the path goes through what is no map of fields
         */
        public void applyTo(
                Map<String, @Nullable Object> tree, Function<Map<?, ?>, Map<String, @Nullable Object>> own) {
            Map<String, @Nullable Object> parent = tree;
            for (String name : path.subList(0, path.size() - 1)) {
                Object child = parent.get(name);
                if (child == null && value == null) {
                    return;
                }
                if (child != null && !(child instanceof Map)) {
                    throw new ClusterException(
                            ClusterException.Reason.INVALID,
                            "a patch goes through " + name + ", which is no map of fields");
                }
                Map<String, @Nullable Object> deeper = own.apply(child instanceof Map<?, ?> map ? map : Map.of());
                if (deeper != child) {
                    parent.put(name, deeper);
                }
                parent = deeper;
            }
            String last = path.get(path.size() - 1);
            if (value == null) {
                parent.remove(last);
            } else {
                parent.put(last, value);
            }
        }

        public static FieldChange set(Object value, String... path) {
            return new FieldChange(List.of(path), value);
        }

        public static FieldChange remove(String... path) {
            return new FieldChange(List.of(path), null);
        }
    }
}
