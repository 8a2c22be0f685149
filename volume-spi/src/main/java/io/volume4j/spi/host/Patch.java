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
 * A change of some fields of an object. All other stored fields stay as they are, also fields that the library does
 * not know.
 *
 * @param status whether the patch changes fields of the {@code status}. Stores write the status separately, so one
 *     patch changes either status fields or other fields
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
     * Applies the patch to the document of a stored object, so that a host's store need not interpret patches. The
     * store must check the preconditions and {@link #refusal()} first.
     *
     * @param tree the object's document: maps with text keys, lists, text, numbers, booleans and nulls. This method
     *     does not change it
     * @return the new document. Its maps along the changed paths are new; it shares everything else with the tree
     * @throws ClusterException invalid, if a path goes through a value that is not a map of fields
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
     * Why a store must refuse the patch; empty if it may accept it. A patch must not change status fields and other
     * fields together. It must not change the fields that the store itself writes ({@code kind},
     * {@code metadata.name}, {@code metadata.uid}, …).
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
                return Optional.of(path + " cannot be changed: the store writes it");
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
     * @param path field names from the top of the document, such as {@code spec}, {@code volumeName}; the change
     *     creates missing parents
     * @param value a {@code String}, {@code Number}, {@code Boolean}, or a {@code List} or {@code Map} of these. It
     *     replaces the old value without merging. Null removes the field; removing an absent field succeeds
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
         * @param tree the top of the document; this method changes it
         * @param own returns a map that this method may change, for a map on the path: the same map or a copy. The
         *     result replaces the map in the document
         * @throws ClusterException invalid, if the path goes through a value that is not a map of fields
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
                            "a patch goes through " + name + ", which is not a map of fields");
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
