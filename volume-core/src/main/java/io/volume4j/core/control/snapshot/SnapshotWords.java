package io.volume4j.core.control.snapshot;

import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.WellKnown;

/** The names that differ between single snapshots and groups. All the rest is the same. */
public enum SnapshotWords {
    SINGLE(
            Kind.VOLUME_SNAPSHOT,
            Kind.VOLUME_SNAPSHOT_CONTENT,
            Kind.VOLUME_SNAPSHOT_CLASS,
            WellKnown.SNAPSHOT_BOUND_PROTECTION,
            WellKnown.SNAPSHOT_CONTENT_PROTECTION,
            WellKnown.SNAPSHOT_BEING_CREATED,
            WellKnown.SNAPSHOT_BEING_DELETED,
            WellKnown.DEFAULT_SNAPSHOT_CLASS,
            "snapcontent-",
            "snapshot-",
            "volumeSnapshotRef",
            "volumeSnapshotClassName",
            "boundVolumeSnapshotContentName"),
    GROUP(
            Kind.VOLUME_GROUP_SNAPSHOT,
            Kind.VOLUME_GROUP_SNAPSHOT_CONTENT,
            Kind.VOLUME_GROUP_SNAPSHOT_CLASS,
            WellKnown.GROUP_BOUND_PROTECTION,
            WellKnown.GROUP_CONTENT_PROTECTION,
            WellKnown.GROUP_BEING_CREATED,
            WellKnown.GROUP_BEING_DELETED,
            WellKnown.DEFAULT_GROUP_SNAPSHOT_CLASS,
            "groupsnapcontent-",
            "groupsnapshot-",
            "volumeGroupSnapshotRef",
            "volumeGroupSnapshotClassName",
            "boundVolumeGroupSnapshotContentName");

    private final Kind snapshot;
    private final Kind content;
    private final Kind type;
    private final String keepsSnapshot;
    private final String keepsContent;
    private final String beingCreated;
    private final String beingDeleted;
    private final String isDefault;
    private final String contentPrefix;
    private final String backendPrefix;
    private final String reference;
    private final String className;
    private final String boundTo;

    SnapshotWords(
            Kind snapshot,
            Kind content,
            Kind type,
            String keepsSnapshot,
            String keepsContent,
            String beingCreated,
            String beingDeleted,
            String isDefault,
            String contentPrefix,
            String backendPrefix,
            String reference,
            String className,
            String boundTo) {
        this.snapshot = snapshot;
        this.content = content;
        this.type = type;
        this.keepsSnapshot = keepsSnapshot;
        this.keepsContent = keepsContent;
        this.beingCreated = beingCreated;
        this.beingDeleted = beingDeleted;
        this.isDefault = isDefault;
        this.contentPrefix = contentPrefix;
        this.backendPrefix = backendPrefix;
        this.reference = reference;
        this.className = className;
        this.boundTo = boundTo;
    }

    public Kind snapshot() {
        return snapshot;
    }

    public Kind content() {
        return content;
    }

    public Kind type() {
        return type;
    }

    /** The finalizer of the snapshot. */
    String keepsSnapshot() {
        return keepsSnapshot;
    }

    /** The finalizer of the content. */
    String keepsContent() {
        return keepsContent;
    }

    String beingCreated() {
        return beingCreated;
    }

    String beingDeleted() {
        return beingDeleted;
    }

    String isDefault() {
        return isDefault;
    }

    /** The name of a snapshot's new content, the same at every attempt. */
    public String contentName(String snapshotUid) {
        return contentPrefix + snapshotUid;
    }

    /** The name that makes the call idempotent. */
    String backendName(String snapshotUid) {
        return backendPrefix + snapshotUid;
    }

    /** The field of a content's spec with its snapshot. */
    String reference() {
        return reference;
    }

    /** The field of both specs with the class. */
    String className() {
        return className;
    }

    /** The field of a snapshot's status with its content. */
    String boundTo() {
        return boundTo;
    }
}
