package io.volume4j.core.objects;

import io.volume4j.spi.model.ObjectKey;

/** A source whose objects may be deleted and come back with the same UID, because their host chooses it. */
public interface RestatedObjects {
    /** Whether the return of the object is no sign of a store that was restored. */
    boolean mayReturn(ObjectKey key);
}
