package io.volume4j.core.control.host.facts;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What it means that the cache does not have an object. The host looks again at an object that was asked for while that was open, as
 * soon as it is not any more. Loop thread only.
 */
public final class CacheCompleteness {
    private final ObjectCache cache;

    /** Objects whose plan was made without knowing everything. */
    private final Set<ObjectKey> blocked = new LinkedHashSet<>();

    public CacheCompleteness(ObjectCache cache) {
        this.cache = cache;
    }

    /** Whether all objects of the kind are known. */
    public boolean all(Kind kind, ObjectKey asking) {
        boolean all = cache.complete(kind);
        if (!all) {
            blocked(asking);
        }
        return all;
    }

    /** What is known of an object of the kind that the asking object names. */
    public <T> Lookup<T> lookup(Optional<T> found, Kind kind, ObjectKey asking) {
        if (found.isPresent()) {
            return Lookup.found(found.get());
        }
        return all(kind, asking) ? Lookup.missing() : Lookup.unknown();
    }

    /** Too little is known about the object to decide. */
    public void blocked(ObjectKey key) {
        blocked.add(key);
    }

    /** The objects about which too little was known, volumes first: claims look for available ones. */
    public List<ObjectKey> takeBlocked() {
        List<ObjectKey> keys =
                blocked.stream().sorted(Comparator.comparing(ObjectKey::kind)).toList();
        blocked.clear();
        return keys;
    }

    public void forget(ObjectKey key) {
        blocked.remove(key);
    }
}
