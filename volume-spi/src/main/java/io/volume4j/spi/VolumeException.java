package io.volume4j.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call failed, and what that means is known. Thrown by plugins and backends; any other exception from a call with
 * effects counts as {@link FailureKind#UNCERTAIN}.
 *
 * <p>The reason says what was tried on what and why it failed, the advice what a person can do about it ({@code ""} for
 * nothing); {@link #getMessage()} and {@link #toString()} say both. Neither may carry a secret. Immutable apart from what {@link Throwable} adds.
 *
 * @since 0.1.0
 */
public final class VolumeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FailureKind kind;
    private final String advice;
    private final boolean provesAbsent;
    private final String holder;

    private VolumeException(
            FailureKind kind,
            String message,
            String advice,
            boolean provesAbsent,
            String holder,
            @Nullable Throwable cause) {
        super(Objects.requireNonNull(message, "message"), cause);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.advice = Objects.requireNonNull(advice, "advice");
        this.provesAbsent = provesAbsent;
        this.holder = Objects.requireNonNull(holder, "holder");
    }

    /** A failure of any kind but {@link FailureKind#DANGLING}, which needs {@link #dangling}. */
    public static VolumeException of(FailureKind kind, String message) {
        if (kind == FailureKind.DANGLING) {
            throw new IllegalArgumentException("a dangling attachment names its holder: use dangling(message, node)");
        }
        return new VolumeException(kind, message, "", false, "", null);
    }

    /** Nothing happened; worth another try. */
    public static VolumeException transientFailure(String message) {
        return of(FailureKind.TRANSIENT, message);
    }

    /** It may have happened. */
    public static VolumeException uncertain(String message) {
        return of(FailureKind.UNCERTAIN, message);
    }

    /** This call did not do it and never will. */
    public static VolumeException finalFailure(String message) {
        return of(FailureKind.FINAL, message);
    }

    /** The backend holds the volume attached to another node. */
    public static VolumeException dangling(String message, String holder) {
        return new VolumeException(FailureKind.DANGLING, message, "", false, holder, null);
    }

    /** The same failure with a hint for the person who reads it. */
    public VolumeException withAdvice(String text) {
        return copy(text, provesAbsent, getCause());
    }

    /** The same failure with its cause. */
    public VolumeException withCause(Throwable reason) {
        return copy(advice, provesAbsent, reason);
    }

    /**
     * This failure where it ends a call that has had effects before: what says that nothing happened speaks for its own step
     * only, and the outcome of the whole call is unknown.
     *
     * @return this if it is uncertain itself
     */
    public VolumeException afterEffect() {
        return kind == FailureKind.UNCERTAIN
                ? this
                : uncertain("it was done, but then: " + reason())
                        .withAdvice(advice)
                        .withCause(this);
    }

    /**
     * The same failure, which also proves that nothing of any earlier call is left either.
     *
     * @throws IllegalStateException unless it is {@link FailureKind#FINAL}
     */
    public VolumeException provingAbsence() {
        if (kind != FailureKind.FINAL) {
            throw new IllegalStateException("only a FINAL failure can prove absence, not " + kind);
        }
        return copy(advice, true, getCause());
    }

    public FailureKind kind() {
        return kind;
    }

    /** What a person can do, {@code ""} for nothing. */
    public String advice() {
        return advice;
    }

    /** Whether the failure also ends the doubt that earlier calls left. */
    public boolean provesAbsent() {
        return provesAbsent;
    }

    /** The node that really holds a dangling attachment, {@code ""} for the other kinds. */
    public String holder() {
        return holder;
    }

    /** What was tried on what and why it failed, without the advice: for a text that shows the advice in a place of its own. */
    public String reason() {
        return Objects.requireNonNull(super.getMessage());
    }

    /** {@link #reason()}, and the {@link #advice()} behind a dash unless the reason says it already. */
    @Override
    public String getMessage() {
        String reason = reason();
        return reason.contains(advice) ? reason : reason + " — " + advice;
    }

    private VolumeException copy(String newAdvice, boolean newProof, @Nullable Throwable newCause) {
        VolumeException copy = new VolumeException(kind, reason(), newAdvice, newProof, holder, newCause);
        copy.setStackTrace(getStackTrace());
        return copy;
    }
}
