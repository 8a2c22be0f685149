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

        /** Without a class, and of no volumes yet. */
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
