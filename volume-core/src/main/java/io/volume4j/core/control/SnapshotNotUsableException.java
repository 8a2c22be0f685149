package io.volume4j.core.control;

/**
 * Nothing can be said of the blocks of a snapshot, as it is now.
 *
 * @since 0.1.0
 */
public final class SnapshotNotUsableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why not. */
    public enum Reason {
        /** There is no such snapshot, or it has no content. */
        MISSING,
        /** It is not ready to use yet. Later it may be. */
        NOT_READY,
        /** This process has no plugin that made it and that can tell its blocks. */
        UNSUPPORTED,
        /** Two snapshots are of different drivers or of different volumes. */
        UNRELATED
    }

    /** @param message what is wrong with which snapshot */
    public SnapshotNotUsableException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
