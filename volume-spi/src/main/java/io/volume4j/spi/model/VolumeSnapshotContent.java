package io.volume4j.spi.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot that exists at a backend, or that the backend will create.
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

    /** The backend's identifier of the snapshot, {@code ""} while it is unknown. */
    public String handle() {
        return status.snapshotHandle().isEmpty() ? spec.snapshotHandle() : status.snapshotHandle();
    }

    /**
     * The specification of the snapshot.
     * @param snapshotRef the snapshot that it belongs to; without UID it is a reservation by name
     * @param volumeHandle {@code source.volumeHandle}: the volume of a snapshot that the backend will create,
     *     {@code ""} if {@code snapshotHandle} is set
     * @param snapshotHandle {@code source.snapshotHandle}: an existing snapshot
     * @param sourceVolumeMode volume mode of the source volume, null if unknown
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

        /**
         * A builder for a content without a class. The caller must set {@code volumeHandle} or
         * {@code snapshotHandle}.
         */
        public static Builder builder(ObjectReference snapshotRef, DeletionPolicy deletionPolicy, String driver) {
            return new Builder(snapshotRef, deletionPolicy, driver);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(snapshotRef, deletionPolicy, driver);
            builder.className = className;
            builder.volumeHandle = volumeHandle;
            builder.snapshotHandle = snapshotHandle;
            builder.sourceVolumeMode = sourceVolumeMode;
            return builder;
        }

        /** Builds a {@link Spec}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private ObjectReference snapshotRef;
            private DeletionPolicy deletionPolicy;
            private String driver;
            private String className = "";
            private String volumeHandle = "";
            private String snapshotHandle = "";
            private @Nullable VolumeMode sourceVolumeMode;

            private Builder(ObjectReference snapshotRef, DeletionPolicy deletionPolicy, String driver) {
                this.snapshotRef = snapshotRef;
                this.deletionPolicy = deletionPolicy;
                this.driver = driver;
            }

            public Builder snapshotRef(ObjectReference value) {
                snapshotRef = value;
                return this;
            }

            public Builder deletionPolicy(DeletionPolicy value) {
                deletionPolicy = value;
                return this;
            }

            public Builder driver(String value) {
                driver = value;
                return this;
            }

            public Builder className(String value) {
                className = value;
                return this;
            }

            public Builder volumeHandle(String value) {
                volumeHandle = value;
                return this;
            }

            public Builder snapshotHandle(String value) {
                snapshotHandle = value;
                return this;
            }

            public Builder sourceVolumeMode(@Nullable VolumeMode value) {
                sourceVolumeMode = value;
                return this;
            }

            public Spec build() {
                return new Spec(
                        snapshotRef, deletionPolicy, driver, className, volumeHandle, snapshotHandle, sourceVolumeMode);
            }
        }
    }

    /**
     * The status of the snapshot.
     * @param creationNanos creation time in nanoseconds since 1970, null before that
     * @param restoreBytes the minimum size of a volume that is created from it, null if unknown
     * @param ready whether volumes can be created from it
     * @param groupHandle the backend's identifier of the group that it is part of, {@code ""} for none
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

        /** A builder for the status of a snapshot that does not exist yet. */
        public static Builder builder() {
            return new Builder();
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder();
            builder.snapshotHandle = snapshotHandle;
            builder.creationNanos = creationNanos;
            builder.restoreBytes = restoreBytes;
            builder.ready = ready;
            builder.error = error;
            builder.groupHandle = groupHandle;
            return builder;
        }

        /** Builds a {@link Status}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private String snapshotHandle = "";
            private @Nullable Long creationNanos;
            private @Nullable Long restoreBytes;
            private boolean ready;
            private @Nullable SnapshotError error;
            private String groupHandle = "";

            private Builder() {}

            public Builder snapshotHandle(String value) {
                snapshotHandle = value;
                return this;
            }

            public Builder creationNanos(@Nullable Long value) {
                creationNanos = value;
                return this;
            }

            public Builder restoreBytes(@Nullable Long value) {
                restoreBytes = value;
                return this;
            }

            public Builder ready(boolean value) {
                ready = value;
                return this;
            }

            public Builder error(@Nullable SnapshotError value) {
                error = value;
                return this;
            }

            public Builder groupHandle(String value) {
                groupHandle = value;
                return this;
            }

            public Status build() {
                return new Status(snapshotHandle, creationNanos, restoreBytes, ready, error, groupHandle);
            }
        }
    }
}
