package io.volume4j.spi.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for a snapshot of a claim's volume, or for an existing snapshot.
 *
 * @since 0.1.0
 */
public record VolumeSnapshot(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled) implements ApiObject {
    public VolumeSnapshot {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(spec, "spec");
        status = status == null ? Status.none() : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    /**
     * A request for a snapshot of the claim's volume, with this class. {@code ""} means the default class of the
     * driver.
     */
    public static VolumeSnapshot of(String namespace, String name, String claim, String className) {
        return new VolumeSnapshot(
                ObjectMeta.named(namespace, name), new Spec(claim, "", className), Status.none(), Unmodeled.none());
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_SNAPSHOT;
    }

    /**
     * The requested snapshot: of a claim, or of an existing content.
     *
     * @param claimName {@code source.persistentVolumeClaimName}, {@code ""} if {@code contentName} is set
     * @param contentName {@code source.volumeSnapshotContentName}, {@code ""} if {@code claimName} is set
     * @param className {@code ""} for the default class of the driver
     */
    public record Spec(String claimName, String contentName, String className) {
        public Spec {
            claimName = Copies.text(claimName);
            contentName = Copies.text(contentName);
            className = Copies.text(className);
        }
    }

    /**
     * The status of the snapshot.
     * @param contentName name of the content that it is bound to, {@code ""} before binding. Valid only if the
     *     content refers back to the snapshot
     * @param ready whether volumes can be created from it
     * @param creationTime when the backend created it, null before that
     * @param restoreSize the minimum size of a volume that is created from it, null if unknown
     * @param error the last error, null if there was none
     * @param groupName name of the group snapshot that it is part of, {@code ""} for none
     */
    public record Status(
            String contentName,
            boolean ready,
            @Nullable Instant creationTime,
            @Nullable Quantity restoreSize,
            @Nullable SnapshotError error,
            String groupName) {
        public Status {
            contentName = Copies.text(contentName);
            groupName = Copies.text(groupName);
        }

        public static Status none() {
            return new Status("", false, null, null, null, "");
        }

        /** A builder for the status of a snapshot that does not exist yet. */
        public static Builder builder() {
            return new Builder();
        }

        /** A builder that starts with the values of this object. */
        public Builder toBuilder() {
            Builder builder = new Builder();
            builder.contentName = contentName;
            builder.ready = ready;
            builder.creationTime = creationTime;
            builder.restoreSize = restoreSize;
            builder.error = error;
            builder.groupName = groupName;
            return builder;
        }

        /** Builds a {@link Status}. Fields that later versions add have defaults here. Not thread-safe. */
        public static final class Builder {
            private String contentName = "";
            private boolean ready;
            private @Nullable Instant creationTime;
            private @Nullable Quantity restoreSize;
            private @Nullable SnapshotError error;
            private String groupName = "";

            private Builder() {}

            public Builder contentName(String value) {
                contentName = value;
                return this;
            }

            public Builder ready(boolean value) {
                ready = value;
                return this;
            }

            public Builder creationTime(@Nullable Instant value) {
                creationTime = value;
                return this;
            }

            public Builder restoreSize(@Nullable Quantity value) {
                restoreSize = value;
                return this;
            }

            public Builder error(@Nullable SnapshotError value) {
                error = value;
                return this;
            }

            public Builder groupName(String value) {
                groupName = value;
                return this;
            }

            public Status build() {
                return new Status(contentName, ready, creationTime, restoreSize, error, groupName);
            }
        }
    }
}
