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
 * What the store itself said of objects, which is evidence where a cache that does not have an object is none. It can be lost with
 * the process. Loop thread only.
 */
public final class StoreFacts {
    private final ObjectCache cache;
    private final Set<ObjectKey> absent = new HashSet<>();
    private final Set<String> gone = new HashSet<>();
    private final Map<ObjectKey, String> confirmed = new HashMap<>();

    public StoreFacts(ObjectCache cache) {
        this.cache = cache;
    }

    /** The store was asked for the object of that name and UID. */
    public void verified(ObjectKey key, String uid, @Nullable ApiObject object) {
        if (uid.isEmpty() || key.kind() == Kind.PERSISTENT_VOLUME) {
            if (object == null && cache.get(key).isEmpty()) {
                absent.add(key);
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
        }
    }

    /** Whether the store said that there is no object of the name. */
    public boolean provenAbsent(ObjectKey key) {
        return absent.contains(key);
    }

    /** Whether the object of the UID was seen deleted, or the store said that it is not there. */
    public boolean provenGone(String uid) {
        return gone.contains(uid) || cache.seenDeleted(uid);
    }

    /** Whether the store said that the object is there as the cache has it. */
    public boolean confirmed(ApiObject object) {
        return object.metadata().resourceVersion().equals(confirmed.get(object.key()));
    }

    /** No object names that UID any more. */
    public void forgetGone(String uid) {
        gone.remove(uid);
    }

    /** An object of the name is there, or may be. */
    public void mayBeThere(ObjectKey key) {
        absent.remove(key);
    }
}
