package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.Lookup;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.Optional;

/** What it means that the cache does not have an object. Who asks while that is open is asked again when it is not any more. */
final class Known {
    private final ObjectCache cache;
    private final BindingState state;

    Known(ObjectCache cache, BindingState state) {
        this.cache = cache;
        this.state = state;
    }

    /** Whether all objects of the kind are known. */
    boolean all(Kind kind, ObjectKey asking) {
        boolean all = cache.complete(kind);
        if (!all) {
            state.blockedByIgnorance(asking);
        }
        return all;
    }

    <T> Lookup<T> lookup(Optional<T> found, Kind kind, ObjectKey asking) {
        if (found.isPresent()) {
            return Lookup.found(found.get());
        }
        return all(kind, asking) ? Lookup.missing() : Lookup.unknown();
    }
}
