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
 * What a backend keeps or is to make: the content of a snapshot or of a group of them.
 *
 * @param wantedBy the snapshot that it is for
 * @param volumes the backend's names of the volumes that are to be cut; none if what it stands for exists already
 * @param handle what the backend calls it, {@code ""} while that is not known
 * @param members what the backend calls the members of a group
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

    /** On the content of a member of a group: what the backend calls the group, which alone can be destroyed. */
    public static final String OF_GROUP = "groupsnapshot.storage.k8s.io/volumeGroupSnapshotHandle";

    /** The same, as versions before wrote it. */
    private static final String OF_GROUP_BEFORE = "groupsnapshot.storage.kubernetes.io/volumeGroupSnapshotHandle";

    /** On the content of a member of a group: the object that the group's content is. */
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

    /** Null if the object is no content. */
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

    /** Whether the backend's part was there before the object. */
    boolean given() {
        return volumes.isEmpty();
    }

    boolean deleting() {
        return object.metadata().deleting();
    }

    boolean annotated(String name) {
        return object.metadata().annotations().containsKey(name);
    }

    /** What a driver may be told of whom it cuts for. */
    public Map<String, String> metadata() {
        String snapshot =
                SnapshotSecrets.PREFIX + (words == SnapshotWords.SINGLE ? "volumesnapshot" : "volumegroupsnapshot");
        Map<String, String> told = new LinkedHashMap<>();
        told.put(snapshot + "/name", wantedBy.name());
        told.put(snapshot + "/namespace", wantedBy.namespace());
        told.put(snapshot + "content/name", key().name());
        return told;
    }

    /** Whether it is that snapshot's and no other's. */
    public boolean belongsTo(SnapshotFacts snapshot) {
        return names(snapshot) && wantedBy.uid().equals(snapshot.uid());
    }

    /** Whether it is that snapshot's, or reserved for one of its name. */
    boolean names(SnapshotFacts snapshot) {
        return wantedBy.name().equals(snapshot.key().name())
                && wantedBy.namespace().equals(snapshot.key().namespace())
                && (wantedBy.uid().isEmpty() || wantedBy.uid().equals(snapshot.uid()));
    }

    /** The group's content, {@code ""} if it was cut alone. */
    public String groupContent() {
        return object.metadata().annotation(GROUP_CONTENT);
    }

    /** Whether it was cut with others: then only all of them can be destroyed. */
    boolean ofGroup() {
        return annotated(OF_GROUP)
                || annotated(OF_GROUP_BEFORE)
                || (object instanceof VolumeSnapshotContent content
                        && !content.status().groupHandle().isEmpty());
    }
}
