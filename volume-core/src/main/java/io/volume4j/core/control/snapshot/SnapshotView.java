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
 * What must be known to decide about a snapshot or a group of them.
 *
 * @param content the content of the name that it has or is to have
 * @param type the class that it names, or the one that it gets because it names none
 * @param defaults how many default classes its driver has; counts only where it names none
 * @param sources the claims that are to be cut, for a group in the order of their names
 * @param sourcesKnown whether all claims of the cluster are known
 * @param restoring claims that volumes are being made for from it, by name
 * @param restoringKnown whether all claims are known that may be, and of a group its members
 * @param group that it is a member of
 * @param members what is to exist for each member of a group that was cut
 * @param leftMembers snapshots of its members that are still there, by name
 * @param now for people
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
     * A claim that is to be cut.
     *
     * @param volume that the claim is bound to, both ways
     * @param driver whose volume it is, {@code ""} if it is of none
     * @param handle what the driver calls it, {@code ""} if it is of none
     */
    public record Source(
            ObjectKey key,
            Lookup<PersistentVolumeClaim> claim,
            Lookup<PersistentVolume> volume,
            String driver,
            String handle) {}

    /**
     * A member of a group that was cut.
     *
     * @param missing its content and its snapshot as they are to be made, each only if it is not there
     * @param unsaid of a content that is there and does not say what the backend calls the member: the write that says it
     */
    public record Member(List<ApiObject> missing, Optional<ObjectWrite> unsaid) {}

    /**
     * The group that a snapshot was cut with.
     *
     * @param uid of the group that is meant, whichever object has its name now
     * @param state whether that one is there, {@code UNNAMED} if the snapshot was cut alone
     * @param keeps why the snapshot is kept as part of it, {@code ""} if it is not
     */
    public record Group(ObjectKey key, String uid, Lookup.State state, String keeps) {
        /** Of a snapshot that was cut alone. */
        public static Group none(ObjectKey snapshot) {
            return new Group(snapshot, "", Lookup.State.UNNAMED, "");
        }
    }

    public ObjectKey key() {
        return snapshot.key();
    }
}
