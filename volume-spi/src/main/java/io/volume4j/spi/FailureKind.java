package io.volume4j.spi;

/**
 * What a failed call says about the world. The kind decides what the library does next. The message never does.
 *
 * <p>A kind describes the effects of its own call only. If an earlier call has an unknown outcome, one of these
 * settles it: a success, the inverse call, an authoritative observation, or a {@link #FINAL} failure that
 * {@linkplain VolumeException#provesAbsent() proves absence}.
 *
 * @since 0.1.0
 */
public enum FailureKind {
    /** Nothing happened; the same call may succeed later. */
    TRANSIENT(true),
    /**
     * The effect may have happened, or may still happen. Examples: a missed deadline, a lost answer, an unclassified
     * error.
     */
    UNCERTAIN(true),
    /** This call had no effect, and the same call will never succeed. */
    FINAL(false),
    /** The backend refused because the volume is in use. Nothing happened. This is not a failure of the backend. */
    IN_USE(true),
    /** Nothing happened, because a limit is reached: capacity, attachments or quota. */
    EXHAUSTED(true),
    /** The backend can never do this for this volume. Examples: a size or parameters that it does not support. */
    INFEASIBLE(false),
    /**
     * Not attached to this node, because the backend still has the volume attached to another node. The exception
     * names that node.
     */
    DANGLING(true);

    private final boolean retried;

    FailureKind(boolean retried) {
        this.retried = retried;
    }

    /**
     * Whether the same call may succeed later without a change. The library repeats calls of the other kinds too, but
     * rarely, in case a person has corrected the cause.
     */
    public boolean retried() {
        return retried;
    }
}
