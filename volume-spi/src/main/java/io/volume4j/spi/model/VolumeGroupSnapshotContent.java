package io.volume4j.spi.model;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A group of snapshots that exists at a backend, or that the backend will create.
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

    /** The backend's identifier of the group, {@code ""} while it is unknown. */
    public String handle() {
        return status.groupHandle().isEmpty() ? spec.groupHandle() : status.groupHandle();
    }

    /**
     * Whether the object was read in v1beta1. The status of that version has only the handles of each member's volume
     * and snapshot, in {@code volumeSnapshotHandlePairList}.
     */
    public boolean tellsPairsOnly() {
        return apiVersion().endsWith("/v1beta1");
    }

    /**
     * The specification of the group.
     * @param groupRef the group snapshot that it belongs to; without UID it is a reservation by name
     * @param volumeHandles {@code source.volumeHandles}: the volumes of a group that the backend will create
     * @param groupHandle {@code source.groupSnapshotHandles.volumeGroupSnapshotHandle}: an existing group
     * @param snapshotHandles the members of an existing group
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

        /** A builder for a group without a class and without volumes. */
        public static Builder builder(ObjectReference groupRef, DeletionPolicy deletionPolicy, String driver) {
            return new Builder(groupRef, deletionPolicy, driver);
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder(groupRef, deletionPolicy, driver);
            builder.className = className;
            builder.volumeHandles = volumeHandles;
            builder.groupHandle = groupHandle;
            builder.snapshotHandles = snapshotHandles;
            return builder;
        }

        /** Builds a {@link Spec}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private ObjectReference groupRef;
            private DeletionPolicy deletionPolicy;
            private String driver;
            private String className = "";
            private List<String> volumeHandles = List.of();
            private String groupHandle = "";
            private List<String> snapshotHandles = List.of();

            private Builder(ObjectReference groupRef, DeletionPolicy deletionPolicy, String driver) {
                this.groupRef = groupRef;
                this.deletionPolicy = deletionPolicy;
                this.driver = driver;
            }

            public Builder groupRef(ObjectReference value) {
                groupRef = value;
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

            public Builder volumeHandles(List<String> value) {
                volumeHandles = value;
                return this;
            }

            public Builder groupHandle(String value) {
                groupHandle = value;
                return this;
            }

            public Builder snapshotHandles(List<String> value) {
                snapshotHandles = value;
                return this;
            }

            public Spec build() {
                return new Spec(
                        groupRef, deletionPolicy, driver, className, volumeHandles, groupHandle, snapshotHandles);
            }
        }
    }

    /**
     * The status of the group.
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
     * @param creationNanos creation time in nanoseconds since 1970, null if unknown
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
