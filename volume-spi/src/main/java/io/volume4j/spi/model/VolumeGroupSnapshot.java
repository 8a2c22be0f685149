package io.volume4j.spi.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A wish for snapshots of several claims' volumes at one instant, or for such that exist already.
 *
 * @since 0.1.0
 */
public record VolumeGroupSnapshot(ObjectMeta metadata, Spec spec, Status status, Unmodeled unmodeled)
        implements ApiObject {
    public VolumeGroupSnapshot {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(spec, "spec");
        status = status == null ? Status.none() : status;
        unmodeled = unmodeled == null ? Unmodeled.none() : unmodeled;
    }

    @Override
    public Kind kind() {
        return Kind.VOLUME_GROUP_SNAPSHOT;
    }

    /**
     * What is wanted.
     *
     * @param selector of claims in the namespace, null if the other is meant
     * @param contentName of the content of a group that exists, {@code ""} if claims are selected
     * @param className {@code ""} for the default class of the driver
     */
    public record Spec(@Nullable LabelSelector selector, String contentName, String className) {
        public Spec {
            contentName = Copies.text(contentName);
            className = Copies.text(className);
        }
    }

    /**
     * What there is.
     *
     * @param contentName of the content that it is bound to, {@code ""} before
     * @param ready whether volumes can be made from every member
     */
    public record Status(
            String contentName,
            boolean ready,
            @Nullable Instant creationTime,
            @Nullable SnapshotError error) {
        public Status {
            contentName = Copies.text(contentName);
        }

        public static Status none() {
            return new Status("", false, null, null);
        }
    }
}
