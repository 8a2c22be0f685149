package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.SnapshotError;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.WellKnown;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted: a snapshot or a group of them.
 *
 * @param givenContent the content that it names itself, or as a member of a group has by its name; {@code ""} if one is to be
 *     made
 * @param boundContent the content that its status names, {@code ""} before
 */
public record SnapshotFacts(
        ApiObject object,
        SnapshotWords words,
        String givenContent,
        String className,
        String boundContent,
        boolean ready,
        @Nullable SnapshotError error) {

    public static SnapshotFacts of(VolumeSnapshot snapshot) {
        return new SnapshotFacts(
                snapshot,
                SnapshotWords.SINGLE,
                snapshot.spec().contentName().isEmpty() && isMember(snapshot)
                        ? GroupMembers.contentOf(snapshot.metadata().name())
                        : snapshot.spec().contentName(),
                snapshot.spec().className(),
                snapshot.status().contentName(),
                snapshot.status().ready(),
                snapshot.status().error());
    }

    public static SnapshotFacts of(VolumeGroupSnapshot group) {
        return new SnapshotFacts(
                group,
                SnapshotWords.GROUP,
                group.spec().contentName(),
                group.spec().className(),
                group.status().contentName(),
                group.status().ready(),
                group.status().error());
    }

    /** Null if the object is no snapshot. */
    public static @Nullable SnapshotFacts ofAny(ApiObject object) {
        if (object instanceof VolumeSnapshot snapshot) {
            return of(snapshot);
        }
        return object instanceof VolumeGroupSnapshot group ? of(group) : null;
    }

    public ObjectKey key() {
        return object.key();
    }

    public String uid() {
        return object.metadata().uid();
    }

    /**
     * Whether a group's controller made it for what was cut with the group: it is never cut alone. Such a member of Kubernetes'
     * snapshot controller names the claim, and not its content.
     */
    boolean member() {
        return object instanceof VolumeSnapshot snapshot && isMember(snapshot);
    }

    private static boolean isMember(VolumeSnapshot snapshot) {
        return snapshot.metadata().finalizers().contains(WellKnown.SNAPSHOT_GROUP_PROTECTION)
                && SnapshotIndexes.groupOf(snapshot) != null;
    }

    /** Whether its content is made for it, and not by a user before. */
    public boolean dynamic() {
        return givenContent.isEmpty();
    }

    /** The content that it has or is to have. */
    public ObjectKey contentKey() {
        String own = dynamic() ? words.contentName(uid()) : givenContent;
        return new ObjectKey(words.content(), "", boundContent.isEmpty() ? own : boundContent);
    }

    boolean has(String finalizer) {
        return object.metadata().finalizers().contains(finalizer);
    }

    /** Whether work on it was begun: from then on it is kept until its content is dealt with. */
    public boolean begun() {
        return has(words.keepsSnapshot());
    }
}
