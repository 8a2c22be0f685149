package io.volume4j.core.control.snapshot;

import io.volume4j.spi.plugin.Places;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The backend's answer about a snapshot or a group snapshot.
 *
 * @param cutAt the time of the snapshot, {@link Instant#EPOCH} if not reported
 * @param bytes the size, 0 if not reported
 * @param members of a group
 * @param places from which new volumes of the snapshot are accessible
 */
public record SnapshotResult(
        String handle, Instant cutAt, long bytes, boolean ready, List<Member> members, Places places) {
    /** For a group, or for a snapshot that is accessible from everywhere. */
    public SnapshotResult(String handle, Instant cutAt, long bytes, boolean ready, List<Member> members) {
        this(handle, cutAt, bytes, ready, members, Places.everywhere());
    }

    public SnapshotResult {
        members = Collections.unmodifiableList(new ArrayList<>(members));
    }

    /** One volume's snapshot in a group. */
    public record Member(String volume, String handle, Instant cutAt, long bytes, boolean ready) {}
}
