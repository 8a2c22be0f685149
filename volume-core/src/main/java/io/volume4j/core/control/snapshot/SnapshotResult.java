package io.volume4j.core.control.snapshot;

import io.volume4j.spi.plugin.Places;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the backend said of a snapshot or a group of them.
 *
 * @param cutAt {@link Instant#EPOCH} if it did not say
 * @param bytes 0 if it did not say
 * @param members of a group
 * @param places from where volumes that are made from a snapshot can be reached
 */
public record SnapshotResult(
        String handle, Instant cutAt, long bytes, boolean ready, List<Member> members, Places places) {
    /** Of a group, or of a snapshot that can be used everywhere. */
    public SnapshotResult(String handle, Instant cutAt, long bytes, boolean ready, List<Member> members) {
        this(handle, cutAt, bytes, ready, members, Places.everywhere());
    }

    public SnapshotResult {
        members = Collections.unmodifiableList(new ArrayList<>(members));
    }

    /** One volume's snapshot in a group. */
    public record Member(String volume, String handle, Instant cutAt, long bytes, boolean ready) {}
}
