package io.volume4j.core.objects;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * One change of one object. An object that was replaced by another of the same name comes as two changes, a deletion and
 * a creation, so {@code before} and {@code after} never have different UIDs.
 *
 * @param before what the cache held, null for a new object
 * @param after what it holds now, null for a deleted object
 */
public record ObjectChange(
        ObjectKey key, @Nullable ApiObject before, @Nullable ApiObject after) {
    /** Whichever state there is, the later one first. */
    public ApiObject latest() {
        if (after != null) {
            return after;
        }
        if (before != null) {
            return before;
        }
        throw new IllegalStateException("a change of nothing: " + key);
    }
}
