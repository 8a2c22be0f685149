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
 * @param before what was stored, null for a new object
 * @param after what is stored now, null for an object that is gone
 * @param last the last state of an object that is gone, which the write that ended it may have changed; null for others
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

    /** What a watch of the selection is told, null if nothing. */
    @Nullable
    WatchEvent seenBy(Selection selection) {
        if (after != null && wanted(after, selection)) {
            return WatchEvent.changed(after);
        }
        if (before != null && wanted(before, selection)) {
            // Gone, or gone out of the selection, which looks the same to the watch.
            return WatchEvent.deleted(last == null ? before : last, Long.toString(revision));
        }
        return null;
    }

    /** Makes the objects what they were before the change. */
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
