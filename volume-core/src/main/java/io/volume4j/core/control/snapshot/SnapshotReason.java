package io.volume4j.core.control.snapshot;

/** Reasons of the events about snapshots. */
public final class SnapshotReason {
    private SnapshotReason() {}

    public static final String CREATING = "CreatingSnapshot";
    public static final String CREATED = "SnapshotCreated";
    public static final String READY = "SnapshotReady";
    public static final String CREATION_FAILED = "SnapshotCreationFailed";
    public static final String CONTENT_CREATION_FAILED = "SnapshotContentCreationFailed";
    public static final String CHECK_FAILED = "SnapshotCheckandUpdateFailed";
    public static final String CONTENT_MISSING = "SnapshotContentMissing";
    public static final String CONTENT_MISBOUND = "SnapshotContentMisbound";
    public static final String CONTENT_MISMATCH = "SnapshotContentMismatch";
    public static final String NO_CLASS = "SetDefaultSnapshotClassFailed";
    public static final String DELETE_PENDING = "SnapshotDeletePending";
    public static final String DELETE_FAILED = "SnapshotDeleteError";
    public static final String UNKNOWN_POLICY = "SnapshotUnknownDeletionPolicy";
}
