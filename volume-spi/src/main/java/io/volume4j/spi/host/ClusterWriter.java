package io.volume4j.spi.host;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;

/**
 * How objects are changed. Thread-safe, blocking. Every call either does the whole of it or nothing; {@link
 * ClusterException} says which failures leave that open.
 *
 * @since 0.1.0
 */
public interface ClusterWriter {
    /**
     * Stores a new object and returns it as stored, with UID and revision.
     *
     * @throws ClusterException already exists
     */
    ApiObject create(ApiObject object);

    /**
     * Changes fields of a stored object and returns it as stored.
     *
     * @throws ClusterException conflict, if a precondition does not hold; not found
     */
    ApiObject patch(ObjectKey key, Patch patch);

    /**
     * Asks for deletion: an object with finalizers stays, marked, until the last one is removed.
     *
     * @throws ClusterException conflict, if a precondition does not hold; not found
     */
    void delete(ObjectKey key, Preconditions preconditions);
}
