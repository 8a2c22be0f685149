package io.volume4j.spi.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request for snapshots of several claims' volumes at the same instant, or for an existing group of snapshots.
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
     * The requested group: either a selector or the name of a content.
     * @param selector selects claims in the namespace, null if {@code contentName} is set
     * @param contentName name of the content of an existing group, {@code ""} if {@code selector} is set
     * @param className {@code ""} for the default class of the driver
     */
    public record Spec(@Nullable LabelSelector selector, String contentName, String className) {
        public Spec {
            contentName = Copies.text(contentName);
            className = Copies.text(className);
        }
    }

    /**
     * The status of the group.
     * @param contentName name of the content that it is bound to, {@code ""} before binding
     * @param ready whether volumes can be created from every member
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
