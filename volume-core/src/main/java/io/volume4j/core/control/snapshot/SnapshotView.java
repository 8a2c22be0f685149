package io.volume4j.core.control.snapshot;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The facts for the decision about a snapshot or a group snapshot.
 *
 * @param content its current or future content
 * @param type its class, or the default class if it names none
 * @param defaults how many default classes its driver has; used only if it names no class
 * @param sources the source claims, for a group in the order of their names
 * @param sourcesKnown whether all claims of the cluster are known
 * @param restoring claims whose volumes are being created from it, by name
 * @param restoringKnown whether all such claims, and a group's members, are known
 * @param group the group of which it is a member
 * @param members the required objects for each member of a group that exists at the backend
 * @param leftMembers remaining snapshots of its members, by name
 * @param now the time in messages for users
 */
public record SnapshotView(
        SnapshotFacts snapshot,
        Lookup<ContentFacts> content,
        Lookup<ClassFacts> type,
        int defaults,
        List<Source> sources,
        boolean sourcesKnown,
        List<String> restoring,
        boolean restoringKnown,
        Group group,
        List<Member> members,
        List<ApiObject> leftMembers,
        Instant now,
        LastEvents told)
        implements SubjectView {

    /**
     * A source claim.
     *
     * @param volume the volume that the claim is bound to, in both directions
     * @param driver the driver of the volume, {@code ""} for none
     * @param handle the driver's handle of the volume, {@code ""} without a driver
     */
    public record Source(
            ObjectKey key,
            Lookup<PersistentVolumeClaim> claim,
            Lookup<PersistentVolume> volume,
            String driver,
            String handle) {}

    /**
     * A member of a group that exists at the backend.
     *
     * @param missing its content and its snapshot to create, each only if it does not exist
     * @param unsaid the write of the backend's handle, if the member's content exists without it
     */
    public record Member(List<ApiObject> missing, Optional<ObjectWrite> unsaid) {}

    /**
     * The group of a snapshot.
     *
     * @param uid of the group in question, even if another object has its name now
     * @param state whether that group exists, {@code UNNAMED} if the snapshot was created alone
     * @param keeps why the snapshot stays as a part of the group, {@code ""} if it need not
     */
    public record Group(ObjectKey key, String uid, Lookup.State state, String keeps) {
        /** For a snapshot that was created alone. */
        public static Group none(ObjectKey snapshot) {
            return new Group(snapshot, "", Lookup.State.UNNAMED, "");
        }
    }

    public ObjectKey key() {
        return snapshot.key();
    }
}
