package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSnapshot;
import io.volume4j.spi.model.VolumeSnapshotContent;
import io.volume4j.spi.model.WellKnown;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The objects for the members of a group: contents for snapshots that exist at the backend, and snapshots that refer to them and
 * have the group as owner. The group's UID and the volume determine the names, so that every attempt creates the same objects.
 */
public final class GroupMembers {
    private static final String CONTENT = "snapcontent-";
    private static final String SNAPSHOT = "snapshot-";

    private GroupMembers() {}

    /**
     * The content and the snapshot of one member, in the order of their creation.
     *
     * @param mode the mode of the member's volume, null if the volume is unknown
     */
    public static List<ApiObject> of(
            VolumeGroupSnapshot group,
            VolumeGroupSnapshotContent content,
            VolumeGroupSnapshotContent.Member member,
            @Nullable VolumeMode mode) {
        String id = id(group.metadata().uid(), member.volumeHandle());
        String namespace = group.metadata().namespace();
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put(ContentFacts.OF_GROUP, content.handle());
        annotations.put(ContentFacts.GROUP_CONTENT, content.metadata().name());
        for (String kept : List.of(WellKnown.DELETION_SECRET_NAME, WellKnown.DELETION_SECRET_NAMESPACE)) {
            String value = content.metadata().annotation(kept);
            if (!value.isEmpty()) {
                annotations.put(kept, value);
            }
        }
        VolumeSnapshotContent single = new VolumeSnapshotContent(
                meta("", CONTENT + id, annotations, List.of(WellKnown.SNAPSHOT_CONTENT_PROTECTION), List.of()),
                new VolumeSnapshotContent.Spec(
                        new ObjectReference(
                                SnapshotWords.SINGLE.snapshot().apiVersion(),
                                SnapshotWords.SINGLE.snapshot().apiName(),
                                namespace,
                                SNAPSHOT + id,
                                "",
                                ""),
                        content.spec().deletionPolicy(),
                        content.spec().driver(),
                        "",
                        "",
                        member.snapshotHandle(),
                        mode),
                VolumeSnapshotContent.Status.none(),
                Unmodeled.none());
        VolumeSnapshot snapshot = new VolumeSnapshot(
                meta(
                        namespace,
                        SNAPSHOT + id,
                        Map.of(),
                        List.of(WellKnown.SNAPSHOT_BOUND_PROTECTION, WellKnown.SNAPSHOT_GROUP_PROTECTION),
                        List.of(new OwnerReference(
                                group.apiVersion(),
                                group.kind().apiName(),
                                group.metadata().name(),
                                group.metadata().uid(),
                                true))),
                new VolumeSnapshot.Spec("", single.metadata().name(), ""),
                VolumeSnapshot.Status.none(),
                Unmodeled.none());
        return List.of(single, snapshot);
    }

    /** The key of the content of a member. */
    static ObjectKey contentKey(VolumeGroupSnapshot group, VolumeGroupSnapshotContent.Member member) {
        return new ObjectKey(
                Kind.VOLUME_SNAPSHOT_CONTENT, "", CONTENT + id(group.metadata().uid(), member.volumeHandle()));
    }

    private static ObjectMeta meta(
            String namespace,
            String name,
            Map<String, String> annotations,
            List<String> finalizers,
            List<OwnerReference> owners) {
        return new ObjectMeta(name, namespace, "", "", 0, Map.of(), annotations, finalizers, owners, null, null);
    }

    /** The backend's result for the member. */
    static SnapshotResult result(VolumeGroupSnapshotContent.Member member) {
        Long nanos = member.creationNanos();
        Long bytes = member.restoreBytes();
        return new SnapshotResult(
                member.snapshotHandle(),
                nanos == null ? Instant.EPOCH : Instant.EPOCH.plusNanos(nanos),
                bytes == null ? 0 : bytes,
                member.ready(),
                List.of());
    }

    /**
     * The name of a member's content: both names have the same ending.
     *
     * @param snapshot a member's name
     */
    static String contentOf(String snapshot) {
        return snapshot.startsWith(SNAPSHOT) ? CONTENT + snapshot.substring(SNAPSHOT.length()) : "";
    }

    /** The same as in Kubernetes' snapshot controller, so that both create the same objects if both run. */
    private static String id(String groupUid, String volumeHandle) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256")
                            .digest((groupUid + volumeHandle).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JVM has SHA-256", missing);
        }
    }
}
