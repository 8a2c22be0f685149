package io.volume4j.core.control.host;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ObjectKey;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Requests that the host checks objects again. Loop thread only. */
public final class Visits {
    private final ObjectCache cache;
    private final Consumer<ObjectKey> engine;
    private final Predicate<ObjectKey> later;

    /**
     * @param engine gets the objects to check
     * @param later whether a running step causes a check of the object when the step ends
     */
    Visits(ObjectCache cache, Consumer<ObjectKey> engine, Predicate<ObjectKey> later) {
        this.cache = cache;
        this.engine = engine;
        this.later = later;
    }

    /** Makes the host check the object, even if a step for the object is running. */
    public void now(ObjectKey key) {
        engine.accept(key);
    }

    /** Makes the host check the object. If a running step causes a check when it ends, this method does nothing. */
    public void mark(ObjectKey key) {
        if (!later.test(key)) {
            engine.accept(key);
        }
    }

    /** Calls {@link #mark(ObjectKey)} for each key. The collection may change during the call. */
    public void mark(Collection<ObjectKey> keys) {
        if (!keys.isEmpty()) {
            List.copyOf(keys).forEach(this::mark);
        }
    }

    /** Calls {@link #mark(ObjectKey)} if the cache has the object. */
    public void markIfThere(ObjectKey key) {
        if (cache.get(key).isPresent()) {
            mark(key);
        }
    }

    /** Calls {@link #markIfThere(ObjectKey)} for each key. The collection may change during the call. */
    public void markIfThere(Collection<ObjectKey> keys) {
        if (!keys.isEmpty()) {
            List.copyOf(keys).forEach(this::markIfThere);
        }
    }
}
