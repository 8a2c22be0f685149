package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectMeta;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.Unmodeled;
import io.volume4j.spi.model.VolumeGroupSnapshot;
import io.volume4j.spi.model.VolumeGroupSnapshotContent;
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

/**
 * The objects that the members of a group get: contents for what the backend has cut already, and snapshots that name them and belong
 * to the group. Their names are made of the group's UID and the volume, so that every try makes the same ones.
 */
public final class GroupMembers {
    private static final String CONTENT = "snapcontent-";
    private static final String SNAPSHOT = "snapshot-";

    private GroupMembers() {}

    /** Content and snapshot of one member, in the order in which they are made. */
    public static List<ApiObject> of(
            VolumeGroupSnapshot group, VolumeGroupSnapshotContent content, VolumeGroupSnapshotContent.Member member) {
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
                        null),
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

    private static ObjectMeta meta(
            String namespace,
            String name,
            Map<String, String> annotations,
            List<String> finalizers,
            List<OwnerReference> owners) {
        return new ObjectMeta(name, namespace, "", "", 0, Map.of(), annotations, finalizers, owners, null, null);
    }

    /** What the backend said of the member. */
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
     * The content of a member, by the member's name: both names end alike.
     *
     * @param snapshot a member's name
     */
    static String contentOf(String snapshot) {
        return snapshot.startsWith(SNAPSHOT) ? CONTENT + snapshot.substring(SNAPSHOT.length()) : "";
    }

    /** As Kubernetes' snapshot controller has it, so that both make the same objects where they run beside each other. */
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
