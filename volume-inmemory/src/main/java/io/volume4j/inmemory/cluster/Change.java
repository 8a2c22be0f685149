package io.volume4j.inmemory.cluster;

import io.volume4j.spi.host.Selection;
import io.volume4j.spi.host.WatchEvent;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.Pod;
import org.jspecify.annotations.Nullable;

/**
 * One change of the store.
 *
 * @param before null for a new object
 * @param after null for one that is gone
 */
record Change(
        long revision,
        Kind kind,
        @Nullable ApiObject before,
        @Nullable ApiObject after) {
    /** What somebody hears of it who watches the selection, null if nothing. */
    @Nullable
    WatchEvent seenBy(Selection selection) {
        if (after != null && wanted(after, selection)) {
            return WatchEvent.changed(after);
        }
        if (before != null && wanted(before, selection)) {
            // Gone, or gone out of the selection, which looks the same to whoever selects.
            return WatchEvent.deleted(before, Long.toString(revision));
        }
        return null;
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
