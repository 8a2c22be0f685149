package io.volume4j.core.control.host;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ObjectKey;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Marks objects that the host is to look at again. Loop thread only. */
public final class Visits {
    private final ObjectCache cache;
    private final Consumer<ObjectKey> engine;
    private final Predicate<ObjectKey> later;

    /**
     * @param engine takes what is to be looked at
     * @param later whether a step under way has the object visited when it ends
     */
    Visits(ObjectCache cache, Consumer<ObjectKey> engine, Predicate<ObjectKey> later) {
        this.cache = cache;
        this.engine = engine;
        this.later = later;
    }

    /** Has the host look at the object, whether or not a step for it is under way. */
    public void now(ObjectKey key) {
        engine.accept(key);
    }

    /** Has the host look at the object, but not before a step under way that will have it visited. */
    public void mark(ObjectKey key) {
        if (!later.test(key)) {
            engine.accept(key);
        }
    }

    /** The same for all of them; the collection may change meanwhile. */
    public void mark(Collection<ObjectKey> keys) {
        if (!keys.isEmpty()) {
            List.copyOf(keys).forEach(this::mark);
        }
    }

    /** The same for an object that is there. */
    public void markIfThere(ObjectKey key) {
        if (cache.get(key).isPresent()) {
            mark(key);
        }
    }

    /** The same for all of them that are there; the collection may change meanwhile. */
    public void markIfThere(Collection<ObjectKey> keys) {
        if (!keys.isEmpty()) {
            List.copyOf(keys).forEach(this::markIfThere);
        }
    }
}
