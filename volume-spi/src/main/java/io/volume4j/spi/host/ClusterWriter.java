package io.volume4j.spi.host;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;

/**
 * Changes the objects of a cluster. Implementations are thread-safe and may block. Every call makes the whole change
 * or no change. The reason of a {@link ClusterException} says for which failures the outcome is unknown. Every call
 * must end at some time, for instance by a timeout of its connection: a call that never ends keeps a thread, and some
 * parts of the library wait for it.
 *
 * @since 0.1.0
 */
public interface ClusterWriter {
    /**
     * Stores a new object and returns the stored object, with UID and revision.
     *
     * @throws ClusterException already exists, if the cluster has an object of that name
     */
    ApiObject create(ApiObject object);

    /**
     * Changes fields of a stored object and returns the object as it is stored now.
     *
     * @throws ClusterException conflict, if a precondition does not hold; not found
     */
    ApiObject patch(ObjectKey key, Patch patch);

    /**
     * Requests deletion. An object with finalizers gets a deletion timestamp and stays until the last finalizer is
     * removed.
     *
     * @throws ClusterException conflict, if a precondition does not hold; not found
     */
    void delete(ObjectKey key, Preconditions preconditions);
}
