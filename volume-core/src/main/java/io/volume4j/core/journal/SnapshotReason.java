package io.volume4j.core.journal;

/** Why a journal asks for a full snapshot. */
public enum SnapshotReason {
    /** The log exceeds the configured limits, or it has no space and a snapshot would free some. Appends continue. */
    SIZE,
    /**
     * Replay found damage, or repaired a header. A snapshot after the reconstruction replaces the file. Appends
     * continue.
     */
    DAMAGE,
    /**
     * A write or a sync failed. The kernel's cache of that file is no longer reliable, so the journal never uses its
     * descriptor again. Appends fail until a snapshot is durable in a new file.
     */
    WRITE_FAILED
}
