package io.volume4j.spi.host;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * Reads and watches the objects of a cluster. The objects may be in an API server, a database or a directory of
 * files. Implementations are thread-safe. Calls may block and may throw {@link ClusterException}.
 *
 * @since 0.1.0
 */
public interface ClusterSource {
    /**
     * Lists all selected objects of the kind, with the revision at which a watch can continue. The list is empty for
     * a kind that the host does not have. The library treats an object that is missing in the list as absent.
     * Therefore the call must fail if the source cannot read an object.
     *
     * @throws ClusterException if the source cannot list all objects
     */
    Listing list(Kind kind, Selection selection);

    /**
     * Reports every change after the revision to the listener until the library closes the watch. The source calls
     * the listener on any thread, one call at a time, and keeps the order of changes of one object. A watch that
     * cannot continue ends with {@link WatchEvent.Type#EXPIRED}; the library then lists the objects again. A source
     * that may have missed an event must expire the watch: it never omits an event. After a reconnection a source may
     * report the same change again.
     *
     * @throws ClusterException if the watch cannot begin; the library then lists again, as after an expired watch
     */
    Watch watch(Kind kind, Selection selection, String revision, WatchListener listener);

    /**
     * Reads the object's current state from the store itself, never from a cache. Empty only if the store says that
     * the object does not exist.
     */
    Optional<ApiObject> readLive(ObjectKey key);

    /**
     * Compares two revisions of one object from this source, as {@link java.util.Comparator#compare} does. The
     * default implementation works for revisions that are increasing numbers.
     */
    default int compareRevisions(String left, String right) {
        return Long.compare(Long.parseLong(left), Long.parseLong(right));
    }

    /** The result of a list call. */
    record Listing(List<ApiObject> objects, String revision) {}

    /** Ends a watch. Idempotent. Returns soon: it waits neither for a running listener call nor for a server. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /** Receives each change. Must return soon. */
    interface WatchListener {
        void onEvent(WatchEvent event);
    }
}
