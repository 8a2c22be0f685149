package io.volume4j.spi.host;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * Where objects come from: an API server, a database, a directory of files. Thread-safe. Calls may block and may throw
 * {@link ClusterException}.
 *
 * @since 0.1.0
 */
public interface ClusterSource {
    /**
     * All objects of the kind that the selection wants, and the revision that a watch can go on from. A kind that the host
     * does not have is an empty list. What the listing does not show counts as not there: an object that cannot be read fails
     * the call.
     *
     * @throws ClusterException if not everything can be shown
     */
    Listing list(Kind kind, Selection selection);

    /**
     * Tells the listener of every change after the revision, in order for each object, one call at a time, on any thread,
     * until the watch is closed. A watch that cannot go on ends with {@link WatchEvent.Type#EXPIRED} and is not used
     * again: the library lists anew. In doubt a watch is expired; an event is never left out. A listener may still be told
     * what a source that takes up a broken connection has told before.
     *
     * @throws ClusterException if the watch cannot begin; the library then lists anew, as after an expired one
     */
    Watch watch(Kind kind, Selection selection, String revision, WatchListener listener);

    /** The object as it is now, from the store itself and no cache; empty only if the store says that it is not there. */
    Optional<ApiObject> readLive(ObjectKey key);

    /**
     * The order of two revisions of one object that this source gave, as {@link java.util.Comparator#compare}. The default
     * suits revisions that are growing numbers.
     */
    default int compareRevisions(String left, String right) {
        return Long.compare(Long.parseLong(left), Long.parseLong(right));
    }

    /** What a list call found. */
    record Listing(List<ApiObject> objects, String revision) {}

    /** Ends a watch. Idempotent. Returns soon: does not wait for a listener's call that is under way, nor for a server. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** Called for each change. Returns soon. */
    interface WatchListener {
        void onEvent(WatchEvent event);
    }
}
