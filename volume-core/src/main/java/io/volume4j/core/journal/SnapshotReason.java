package io.volume4j.core.journal;

/** Why a journal asks for a full snapshot. */
public enum SnapshotReason {
    /** The log has outgrown its last snapshot by the configured bounds, or has no room and would gain some. Appends go on. */
    SIZE,
    /** Replay found damage, or repaired a header; the file is to be replaced once recovery knows the truth. Appends go on. */
    DAMAGE,
    /**
     * A write or a sync failed. What the kernel still holds of that file can no longer be trusted, so its descriptor is
     * never used again. Appends fail until a snapshot is durable in a new file.
     */
    WRITE_FAILED
}
