package io.volume4j.core.objects;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * One change of one object. The replacement of an object by another one with the same name is two changes, a deletion
 * and a creation, so {@code before} and {@code after} always have the same UID.
 * @param before the state in the cache before the change, null for a new object
 * @param after the state after the change, null for a deleted object
 */
public record ObjectChange(
        ObjectKey key, @Nullable ApiObject before, @Nullable ApiObject after) {
    /** The state after the change, or the last state of a deleted object. */
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
