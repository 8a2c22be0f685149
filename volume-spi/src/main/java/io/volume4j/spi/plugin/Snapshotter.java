package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.VolumeSource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Creates, queries and deletes snapshots.
 *
 * @since 0.1.0
 */
public interface Snapshotter {
    /**
     * Creates a snapshot. If an earlier call with the same name created it, returns that snapshot, also if the volume
     * no longer exists. If the plugin has searched for the name and finds neither the snapshot nor the volume, it may
     * also prove that earlier calls left nothing: {@link io.volume4j.spi.VolumeException#provingAbsence()}.
     */
    Snapshot create(CreateRequest request, CallContext context);

    /** The current state of a snapshot; empty if it does not exist. */
    Optional<Snapshot> get(String handle, CallContext context);

    /** The same with the parameters of its creation, which may name secrets. */
    default Optional<Snapshot> get(SnapshotRequest request, CallContext context) {
        return get(request.handle(), context);
    }

    /**
     * Whether {@link #get(SnapshotRequest, CallContext)} can report a snapshot's progress. If not, the library repeats
     * {@link #create} with the same arguments, and with the handle of the first answer ({@link CreateRequest#known}), to learn the
     * progress. It treats a snapshot that existed before as ready.
     */
    default boolean tellsProgress() {
        return true;
    }

    /** Deletes the snapshot. Succeeds if it does not exist. */
    void delete(String handle, CallContext context);

    /** The same with the parameters of its creation, which may name secrets. */
    default void delete(SnapshotRequest request, CallContext context) {
        delete(request.handle(), context);
    }

    /** Identifies a snapshot, with the parameters of its creation. */
    record SnapshotRequest(String handle, Map<String, String> parameters) {}

    /**
     * The snapshot to create.
     *
     * @param known the handle from an earlier answer, if the call only asks for the snapshot's progress: the plugin must not delete
     *     that snapshot, whatever the backend says of it now; {@code ""} for none
     */
    record CreateRequest(String name, VolumeSource source, Map<String, String> parameters, String known) {
        /** The request for a snapshot that no earlier answer has named. */
        public CreateRequest(String name, VolumeSource source, Map<String, String> parameters) {
            this(name, source, parameters, "");
        }
    }

    /**
     * A snapshot.
     *
     * @param ready whether a volume can be created from it
     * @param places the places from which volumes that are created from it are accessible
     */
    record Snapshot(String handle, Instant cutAt, long sizeBytes, boolean ready, Places places) {
        /** A snapshot whose volumes are accessible from everywhere. */
        public Snapshot(String handle, Instant cutAt, long sizeBytes, boolean ready) {
            this(handle, cutAt, sizeBytes, ready, Places.everywhere());
        }
    }
}
