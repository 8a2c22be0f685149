package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.DeletionPolicy;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.SnapshotError;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeSnapshotContent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a snapshot or of a group snapshot: what a backend has or will create.
 *
 * @param wantedBy the snapshot of the content
 * @param volumes the backend's handles of the source volumes; none if the snapshot existed before the object
 * @param handle the backend's handle of the snapshot, {@code ""} while it is not known
 * @param members the backend's handles of a group's members
 */
public record ContentFacts(
        ApiObject object,
        SnapshotWords words,
        ObjectReference wantedBy,
        DeletionPolicy policy,
        String driver,
        String className,
        List<String> volumes,
        String handle,
        List<String> members,
        boolean ready,
        @Nullable SnapshotError error) {

    /** On the content of a group's member: the backend's handle of the group. The backend can delete only the whole group. */
    public static final String OF_GROUP = "groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle";

    /** The same, as earlier versions wrote it. */
    private static final String OF_GROUP_BEFORE = "groupsnapshot.storage.kubernetes.io/volumeGroupSnapshotHandle";

    /** On the content of a group's member: the object name of the group's content. */
    public static final String GROUP_CONTENT = "volume4j.io/group-snapshot-content";

    public ContentFacts {
        volumes = Collections.unmodifiableList(new ArrayList<>(volumes));
        members = Collections.unmodifiableList(new ArrayList<>(members));
    }

    public static ContentFacts of(VolumeSnapshotContent content) {
        VolumeSnapshotContent.Spec spec = content.spec();
        return new ContentFacts(
                content,
                SnapshotWords.SINGLE,
                spec.snapshotRef(),
                spec.deletionPolicy(),
                spec.driver(),
                spec.className(),
                spec.volumeHandle().isEmpty() ? List.of() : List.of(spec.volumeHandle()),
                content.handle(),
                List.of(),
                content.status().ready(),
                content.status().error());
    }

    public static ContentFacts of(VolumeGroupSnapshotContent content) {
        VolumeGroupSnapshotContent.Spec spec = content.spec();
        return new ContentFacts(
                content,
                SnapshotWords.GROUP,
                spec.groupRef(),
                spec.deletionPolicy(),
                spec.driver(),
                spec.className(),
                spec.volumeHandles(),
                content.handle(),
                content.status().members().isEmpty()
                        ? spec.snapshotHandles()
                        : content.status().members().stream()
                                .map(VolumeGroupSnapshotContent.Member::snapshotHandle)
                                .toList(),
                content.status().ready(),
                content.status().error());
    }

    /** Null if the object is not a content. */
    public static @Nullable ContentFacts ofAny(ApiObject object) {
        if (object instanceof VolumeSnapshotContent content) {
            return of(content);
        }
        return object instanceof VolumeGroupSnapshotContent content ? of(content) : null;
    }

    public ObjectKey key() {
        return object.key();
    }

    public String uid() {
        return object.metadata().uid();
    }

    /** Whether the backend's snapshot existed before the object. */
    boolean given() {
        return volumes.isEmpty();
    }

    boolean deleting() {
        return object.metadata().deleting();
    }

    boolean annotated(String name) {
        return object.metadata().annotations().containsKey(name);
    }

    /** Metadata for the driver about the snapshot object. */
    public Map<String, String> metadata() {
        String snapshot =
                SnapshotSecrets.PREFIX + (words == SnapshotWords.SINGLE ? "volumesnapshot" : "volumegroupsnapshot");
        Map<String, String> told = new LinkedHashMap<>();
        told.put(snapshot + "/name", wantedBy.name());
        told.put(snapshot + "/namespace", wantedBy.namespace());
        told.put(snapshot + "content/name", key().name());
        return told;
    }

    /** Whether it belongs to exactly this snapshot. */
    public boolean belongsTo(SnapshotFacts snapshot) {
        return names(snapshot) && wantedBy.uid().equals(snapshot.uid());
    }

    /** Whether it belongs to this snapshot, or is reserved for a snapshot with its name. */
    boolean names(SnapshotFacts snapshot) {
        return wantedBy.name().equals(snapshot.key().name())
                && wantedBy.namespace().equals(snapshot.key().namespace())
                && (wantedBy.uid().isEmpty() || wantedBy.uid().equals(snapshot.uid()));
    }

    /** Whether it is reserved for a snapshot with this one's name, and belongs to no snapshot yet. */
    boolean reservedFor(SnapshotFacts snapshot) {
        return wantedBy.uid().isEmpty() && names(snapshot);
    }

    /** The name of the group's content, {@code ""} if the snapshot was created alone. */
    public String groupContent() {
        return object.metadata().annotation(GROUP_CONTENT);
    }

    /** The backend's handle of the group that its controller wrote to the content of a member, {@code ""} for none. */
    String groupHandle() {
        String handle = object.metadata().annotation(OF_GROUP);
        return handle.isEmpty() ? object.metadata().annotation(OF_GROUP_BEFORE) : handle;
    }

    /** Whether the snapshot was created in a group: then the backend can delete only the whole group. */
    boolean ofGroup() {
        return annotated(OF_GROUP)
                || annotated(OF_GROUP_BEFORE)
                || (object instanceof VolumeSnapshotContent content
                        && !content.status().groupHandle().isEmpty());
    }
}
