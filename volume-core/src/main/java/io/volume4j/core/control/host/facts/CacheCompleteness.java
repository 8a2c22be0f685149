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
 * Tells what a missing object in the cache means. A planner may lack information because the cache is incomplete. The
 * host then checks the planner's object again as soon as the cache is complete. Loop thread only.
 */
public final class CacheCompleteness {
    private final ObjectCache cache;

    /** Objects whose plan was made with incomplete data. */
    private final Set<ObjectKey> blocked = new LinkedHashSet<>();

    public CacheCompleteness(ObjectCache cache) {
        this.cache = cache;
    }

    /** Whether the cache has all objects of the kind. If not, the asking object counts as {@link #blocked}. */
    public boolean all(Kind kind, ObjectKey asking) {
        boolean all = cache.complete(kind);
        if (!all) {
            blocked(asking);
        }
        return all;
    }

    /** The knowledge about an object of the kind to which the asking object refers. */
    public <T> Lookup<T> lookup(Optional<T> found, Kind kind, ObjectKey asking) {
        if (found.isPresent()) {
            return Lookup.found(found.get());
        }
        return all(kind, asking) ? Lookup.missing() : Lookup.unknown();
    }

    /** Records that the planner could not decide about the object, because the cache is incomplete. */
    public void blocked(ObjectKey key) {
        blocked.add(key);
    }

    /** Removes and returns the blocked objects. Volumes come first, because claims look for available volumes. */
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
