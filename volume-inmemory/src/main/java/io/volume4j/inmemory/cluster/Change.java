package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One change of the store.
 *
 * @param before the stored object, null for a new one
 * @param after the new stored object, null after a deletion
 * @param last the last state of a deleted object, which the deleting write may have changed; null for others
 */
record Change(
        long revision,
        Kind kind,
        @Nullable ApiObject before,
        @Nullable ApiObject after,
        @Nullable ApiObject last) {
    static Change stored(long revision, @Nullable ApiObject before, ApiObject after) {
        return new Change(revision, after.kind(), before, after, null);
    }

    static Change gone(long revision, ApiObject before, ApiObject last) {
        return new Change(revision, before.kind(), before, null, last);
    }

    /** The event for a watch of the selection, null if there is none. */
    @Nullable
    WatchEvent seenBy(Selection selection) {
        if (after != null && wanted(after, selection)) {
            return WatchEvent.changed(after);
        }
        if (before != null && wanted(before, selection)) {
            // Deleted, or no longer selected, which is the same for the watch.
            return WatchEvent.deleted(last == null ? before : last, Long.toString(revision));
        }
        return null;
    }

    /** Reverts the change in the objects. */
    void undo(Map<ObjectKey, ApiObject> objects) {
        if (before != null) {
            objects.put(before.key(), before);
        } else if (after != null) {
            objects.remove(after.key());
        }
    }

    static boolean wanted(ApiObject object, Selection selection) {
        if (selection.nodeName().isEmpty()) {
            return true;
        }
        if (object instanceof Pod pod) {
            return pod.spec().nodeName().equals(selection.nodeName());
        }
        return !(object instanceof Node) || object.metadata().name().equals(selection.nodeName());
    }
}
