package io.volume4j.spi.host;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of some fields of an object. All other fields stay as they are stored, also those that the library does not
 * know.
 *
 * @param status whether the fields are those of the {@code status}, which stores keep apart; a patch changes either
 *     status fields or others
 * @param changes applied in order
 */
public record Patch(Preconditions preconditions, boolean status, List<FieldChange> changes) {
    public Patch {
        Objects.requireNonNull(preconditions, "preconditions");
        changes = List.copyOf(changes);
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

        public static FieldChange set(Object value, String... path) {
            return new FieldChange(List.of(path), value);
        }

        public static FieldChange remove(String... path) {
            return new FieldChange(List.of(path), null);
        }
    }
}
