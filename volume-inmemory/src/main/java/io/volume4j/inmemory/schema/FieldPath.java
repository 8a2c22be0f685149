package io.volume4j.inmemory.schema;

import org.jspecify.annotations.Nullable;

/**
 * The path of a field, put into words only for an error.
 *
 * @param parent null at the top of an object
 * @param step the name of a field, or an index or key
 * @param element whether the step is the index of a list or the key of a map
 */
record FieldPath(@Nullable FieldPath parent, @Nullable Object step, boolean element) {
    /** For example {@code spec.volumes[0].name}. */
    @Override
    public String toString() {
        String before = parent == null ? "" : parent.toString();
        if (element) {
            return before + "[" + step + "]";
        }
        return parent == null ? String.valueOf(step) : before + "." + step;
    }
}
