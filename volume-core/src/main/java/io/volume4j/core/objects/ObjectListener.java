package io.volume4j.core.objects;

import io.volume4j.spi.model.Kind;

/** Called for each change of an {@link ObjectCache}, on its loop, after the cache has changed. */
public interface ObjectListener {
    /**
     * A listing of the kind arrived. Its objects follow one by one.
     * @param objects the number of objects that the cache will have
     */
    default void listed(Kind kind, int objects) {}

    void changed(ObjectChange change);

    /**
     * The cache now holds all objects of the kind, or no longer knows whether it does.
     *
     * @param complete as {@link ObjectCache#complete(Kind)} answers from now on
     */
    default void completeness(Kind kind, boolean complete) {}
}
