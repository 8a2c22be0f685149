package io.volume4j.core.control.host.facts;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.core.objects.ObjectChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Facts that the store itself reported about objects. They prove that an object does not exist; a cache without the
 * object proves nothing. They exist in memory only. Loop thread only.
 */
public final class StoreFacts {
    private final ObjectCache cache;
    private final Set<ObjectKey> absent = new HashSet<>();
    /** The absent objects by the object for which the store was asked. They are forgotten with it. */
    private final Map<ObjectKey, Set<ObjectKey>> absentFor = new HashMap<>();

    private final Set<String> gone = new HashSet<>();
    private final Map<ObjectKey, String> confirmed = new HashMap<>();

    public StoreFacts(ObjectCache cache) {
        this.cache = cache;
    }

    /**
     * Records what the store returned for the object of that name and UID; null if it returned no object.
     *
     * @param asking the object whose plan needs to know it
     */
    public void verified(ObjectKey asking, ObjectKey key, String uid, @Nullable ApiObject object) {
        if (uid.isEmpty() || key.kind() == Kind.PERSISTENT_VOLUME) {
            if (object == null && cache.get(key).isEmpty()) {
                absent.add(key);
                absentFor.computeIfAbsent(asking, none -> new HashSet<>(2)).add(key);
            }
        } else if (object == null || !object.metadata().uid().equals(uid)) {
            gone.add(uid);
        } else {
            confirmed.put(key, object.metadata().resourceVersion());
        }
    }

    public void changed(ObjectChange change) {
        if (change.after() != null) {
            absent.remove(change.key());
        } else {
            confirmed.remove(change.key());
            forget(change.key());
        }
    }

    /** The object is gone, and with it what the store said for its plan. Another object that needs it asks again. */
    void forget(ObjectKey asking) {
        @Nullable Set<ObjectKey> known = absentFor.remove(asking);
        if (known != null) {
            absent.removeAll(known);
        }
    }

    /** Whether the store said that no object of that name exists. */
    public boolean provenAbsent(ObjectKey key) {
        return absent.contains(key);
    }

    /**
     * Whether this process saw the deletion of the object with this UID, or the store said that the object does not
     * exist.
     */
    public boolean provenGone(String uid) {
        return gone.contains(uid) || cache.seenDeleted(uid);
    }

    /** Whether the store said that the object exists with the revision in the cache. */
    public boolean confirmed(ApiObject object) {
        return object.metadata().resourceVersion().equals(confirmed.get(object.key()));
    }

    /** Forgets the UID, because no object refers to it any more. */
    public void forgetGone(String uid) {
        gone.remove(uid);
    }

    /** Records that an object of that name exists or may exist. */
    public void mayBeThere(ObjectKey key) {
        absent.remove(key);
    }
}
