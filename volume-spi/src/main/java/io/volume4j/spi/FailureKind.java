package io.volume4j.spi;

/**
 * What a failed call says about the world. The kind decides what happens next; messages never do.
 *
 * <p>A kind speaks for its own call only: doubt that an earlier call left behind ends by success, by the inverse call, by
 * an authoritative observation, or by a {@link #FINAL} failure that {@linkplain VolumeException#provesAbsent() proves
 * absence}.
 *
 * @since 0.1.0
 */
public enum FailureKind {
    /** Nothing happened; the same call may succeed later. */
    TRANSIENT(true),
    /** It may have happened, or may still happen: a deadline, a lost answer, an unclassified error. */
    UNCERTAIN(true),
    /** This call did not do it and never will as it stands. */
    FINAL(false),
    /** Refused because the volume is in use; nothing happened. Not a failure of the backend. */
    IN_USE(true),
    /** Nothing happened for want of room: capacity, attachments, quota. */
    EXHAUSTED(true),
    /** The backend can never do this for this volume: a size it does not have, parameters it cannot apply. */
    INFEASIBLE(false),
    /** Not attached here, because the backend holds it attached to another node, which the exception names. */
    DANGLING(true);

    private final boolean retried;

    FailureKind(boolean retried) {
        this.retried = retried;
    }

    /** Whether the unchanged call is worth another try. The others are tried again too, rarely, in case a person helped. */
    public boolean retried() {
        return retried;
    }
}
