package io.volume4j.spi.model;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A group of snapshots that a backend keeps, or is to make.
 *
 * @since 0.1.0
 */
public record VolumeGroupSnapshotContent(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled)
        implements ApiObject {
    public VolumeGroupSnapshotContent {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(spec, "spec");
        status = status == null ? Status.none() : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_GROUP_SNAPSHOT_CONTENT;
    }

    /** What the backend calls the group, {@code ""} while it is not known. */
    public String handle() {
        return status.groupHandle().isEmpty() ? spec.groupHandle() : status.groupHandle();
    }

    /**
     * Whether it was read in v1beta1, whose status says of members only how volume and snapshot are called, in {@code
     * volumeSnapshotHandlePairList}.
     */
    public boolean tellsPairsOnly() {
        return apiVersion().endsWith("/v1beta1");
    }

    /**
     * What it stands for.
     *
     * @param groupRef the group snapshot that it is for; one without UID is reserved by name
     * @param volumeHandles {@code source.volumeHandles}: the volumes that are to be cut
     * @param groupHandle {@code source.groupSnapshotHandles.volumeGroupSnapshotHandle}: a group that exists
     * @param snapshotHandles its members
     */
    public record Spec(
            ObjectReference groupRef,
            DeletionPolicy deletionPolicy,
            String driver,
            String className,
            List<String> volumeHandles,
            String groupHandle,
            List<String> snapshotHandles) {
        public Spec {
            Objects.requireNonNull(groupRef, "groupRef");
            deletionPolicy = deletionPolicy == null ? DeletionPolicy.UNKNOWN : deletionPolicy;
            driver = Copies.text(driver);
            className = Copies.text(className);
            volumeHandles = Copies.list(volumeHandles);
            groupHandle = Copies.text(groupHandle);
            snapshotHandles = Copies.list(snapshotHandles);
        }
    }

    /**
     * What there is.
     *
     * @param members {@code volumeSnapshotInfoList}
     */
    public record Status(
            String groupHandle,
            boolean ready,
            @Nullable Instant creationTime,
            @Nullable SnapshotError error,
            List<Member> members) {
        public Status {
            groupHandle = Copies.text(groupHandle);
            members = Copies.list(members);
        }

        public static Status none() {
            return new Status("", false, null, null, List.of());
        }
    }

    /**
     * One volume's snapshot in the group.
     *
     * @param creationNanos since 1970, null if it is not known
     */
    public record Member(
            String volumeHandle,
            String snapshotHandle,
            @Nullable Long creationNanos,
            @Nullable Long restoreBytes,
            boolean ready) {
        public Member {
            volumeHandle = Copies.text(volumeHandle);
            snapshotHandle = Copies.text(snapshotHandle);
        }
    }
}
