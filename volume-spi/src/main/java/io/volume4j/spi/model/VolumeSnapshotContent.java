package io.volume4j.spi.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that a backend keeps, or is to make.
 *
 * @since 0.1.0
 */
public record VolumeSnapshotContent(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled)
        implements ApiObject {
    public VolumeSnapshotContent {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(spec, "spec");
        status = status == null ? Status.none() : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_SNAPSHOT_CONTENT;
    }

    /** What the backend calls the snapshot, {@code ""} while it is not known. */
    public String handle() {
        return status.snapshotHandle().isEmpty() ? spec.snapshotHandle() : status.snapshotHandle();
    }

    /**
     * What it stands for.
     *
     * @param snapshotRef the snapshot that it is for; one without UID is reserved by name
     * @param volumeHandle {@code source.volumeHandle}: the volume that is to be cut, {@code ""} if the other is meant
     * @param snapshotHandle {@code source.snapshotHandle}: a snapshot that exists
     * @param sourceVolumeMode of the volume that was cut, null if it is not known
     */
    public record Spec(
            ObjectReference snapshotRef,
            DeletionPolicy deletionPolicy,
            String driver,
            String className,
            String volumeHandle,
            String snapshotHandle,
            @Nullable VolumeMode sourceVolumeMode) {
        public Spec {
            Objects.requireNonNull(snapshotRef, "snapshotRef");
            deletionPolicy = deletionPolicy == null ? DeletionPolicy.UNKNOWN : deletionPolicy;
            driver = Copies.text(driver);
            className = Copies.text(className);
            volumeHandle = Copies.text(volumeHandle);
            snapshotHandle = Copies.text(snapshotHandle);
        }
    }

    /**
     * What there is.
     *
     * @param creationNanos when it was cut, in nanoseconds since 1970, null before
     * @param restoreBytes the least size of a volume that is made from it, null if it is not known
     * @param ready whether volumes can be made from it
     * @param groupHandle what the backend calls the group that it was cut with, {@code ""} for none
     */
    public record Status(
            String snapshotHandle,
            @Nullable Long creationNanos,
            @Nullable Long restoreBytes,
            boolean ready,
            @Nullable SnapshotError error,
            String groupHandle) {
        public Status {
            snapshotHandle = Copies.text(snapshotHandle);
            groupHandle = Copies.text(groupHandle);
        }

        public static Status none() {
            return new Status("", null, null, false, null, "");
        }
    }
}
