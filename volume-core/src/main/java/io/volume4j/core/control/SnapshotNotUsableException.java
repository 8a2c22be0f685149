package io.volume4j.core.control;

/**
 * The blocks of a snapshot cannot be reported in its current state.
 *
 * @since 0.1.0
 */
public final class SnapshotNotUsableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why the blocks cannot be reported. */
    public enum Reason {
        /** The snapshot does not exist or has no content. */
        MISSING,
        /** The snapshot is not ready to use yet. */
        NOT_READY,
        /** This process does not have the snapshot's plugin, or the plugin cannot report blocks. */
        UNSUPPORTED,
        /** Two snapshots are of different drivers or of different volumes. */
        UNRELATED
    }

    /** @param message names the snapshot and the problem */
    public SnapshotNotUsableException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
