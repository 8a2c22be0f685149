package io.volume4j.spi.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A wish for a snapshot of a claim's volume, or for one that exists already.
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

    /** Of the claim's volume, by the class of that name or the driver's default class. */
    public static VolumeSnapshot of(String namespace, String name, String claim, String className) {
        return new VolumeSnapshot(
                ObjectMeta.named(namespace, name), new Spec(claim, "", className), Status.none(), Unmodeled.none());
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_SNAPSHOT;
    }

    /**
     * What is wanted: a snapshot of a claim, or the one behind a content.
     *
     * @param claimName {@code source.persistentVolumeClaimName}, {@code ""} if the other is meant
     * @param contentName {@code source.volumeSnapshotContentName}
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
     * What there is.
     *
     * @param contentName of the content that it is bound to, {@code ""} before; true only if the content says so too
     * @param ready whether volumes can be made from it
     * @param creationTime when the backend cut it, null before
     * @param restoreSize the least size of a volume that is made from it, null if it is not known
     * @param error what went wrong last, null if nothing did
     * @param groupName of the group snapshot that it is part of, {@code ""} for none
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

        /** Of a snapshot that is not made yet. */
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
