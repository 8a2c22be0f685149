package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.model.VolumeSource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Cuts, watches and destroys snapshots.
 *
 * @since 0.1.0
 */
public interface Snapshotter {
    /**
     * Cuts a snapshot, or finds what an earlier call with the same name cut, also if the volume is gone by now. Who has looked for
     * the name and finds neither that nor the volume can say so for earlier calls, too:
     * {@link io.volume4j.spi.VolumeException#provingAbsence()}.
     */
    Snapshot create(CreateRequest request, CallContext context);

    /** How far a snapshot is; empty if it does not exist. */
    Optional<Snapshot> get(String handle, CallContext context);

    /** The same, with the parameters that it was made with, which may name secrets. */
    default Optional<Snapshot> get(SnapshotRequest request, CallContext context) {
        return get(request.handle(), context);
    }

    /**
     * Whether {@link #get(SnapshotRequest, CallContext)} can tell anything. Where it cannot, {@link #create} with the arguments of
     * the first time tells how far a snapshot is, and one that was there before is believed to be ready.
     */
    default boolean tellsProgress() {
        return true;
    }

    /** Destroys it; absent is success. */
    void delete(String handle, CallContext context);

    /** The same, with the parameters that it was made with, which may name secrets. */
    default void delete(SnapshotRequest request, CallContext context) {
        delete(request.handle(), context);
    }

    /** Which snapshot. */
    record SnapshotRequest(String handle, Map<String, String> parameters) {}

    /** What to cut. */
    record CreateRequest(String name, VolumeSource source, Map<String, String> parameters) {}

    /**
     * A snapshot.
     *
     * @param ready whether a volume can be made from it
     * @param places from where the volumes that are made from it can be reached
     */
    record Snapshot(String handle, Instant cutAt, long sizeBytes, boolean ready, Places places) {
        /** Whose volumes can be reached from everywhere. */
        public Snapshot(String handle, Instant cutAt, long sizeBytes, boolean ready) {
            this(handle, cutAt, sizeBytes, ready, Places.everywhere());
        }
    }
}
