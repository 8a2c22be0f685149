package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.SnapshotError;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.WellKnown;
import org.jspecify.annotations.Nullable;

/**
 * The request for a snapshot or a group snapshot.
 *
 * @param givenContent the content that it names, or that a member's name implies; {@code ""} if the controller must create one
 * @param boundContent the content in its status, {@code ""} before
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

    /** Null if the object is not a snapshot. */
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
     * Whether a group's controller created it for a member: it is never created alone. A member of Kubernetes' snapshot controller
     * names the claim, and not its content.
     */
    boolean member() {
        return object instanceof VolumeSnapshot snapshot && isMember(snapshot);
    }

    /** The name of the group of a {@link #member}. */
    String groupName() {
        @Nullable
        OwnerReference group = object instanceof VolumeSnapshot snapshot ? SnapshotIndexes.groupOf(snapshot) : null;
        return group == null ? "" : group.name();
    }

    private static boolean isMember(VolumeSnapshot snapshot) {
        return snapshot.metadata().finalizers().contains(WellKnown.SNAPSHOT_GROUP_PROTECTION)
                && SnapshotIndexes.groupOf(snapshot) != null;
    }

    /** Whether the controller creates its content; otherwise a user has created the content before. */
    public boolean dynamic() {
        return givenContent.isEmpty();
    }

    /** The key of its current or future content. */
    public ObjectKey contentKey() {
        String own = dynamic() ? words.contentName(uid()) : givenContent;
        return new ObjectKey(words.content(), "", boundContent.isEmpty() ? own : boundContent);
    }

    boolean has(String finalizer) {
        return object.metadata().finalizers().contains(finalizer);
    }

    /** Whether work on it has begun. From then on it stays until its content is handled. */
    public boolean begun() {
        return has(words.keepsSnapshot());
    }
}
