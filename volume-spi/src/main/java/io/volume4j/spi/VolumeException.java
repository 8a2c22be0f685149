package io.volume4j.spi;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A failed call with a known meaning. Plugins and backends throw it. The library treats any other exception from a
 * call with effects as {@link FailureKind#UNCERTAIN}.
 *
 * <p>The reason says what the call tried, on what, and why it failed. The advice says what a person can do ({@code
 * ""} for nothing). {@link #getMessage()} and {@link #toString()} contain both. Neither may contain a secret.
 * Immutable apart from what {@link Throwable} adds.
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

    /** Nothing happened; the same call may succeed later. */
    public static VolumeException transientFailure(String message) {
        return of(FailureKind.TRANSIENT, message);
    }

    /** The effect may have happened. */
    public static VolumeException uncertain(String message) {
        return of(FailureKind.UNCERTAIN, message);
    }

    /** This call had no effect and will never succeed. */
    public static VolumeException finalFailure(String message) {
        return of(FailureKind.FINAL, message);
    }

    /** The backend still has the volume attached to another node, the holder. */
    public static VolumeException dangling(String message, String holder) {
        return new VolumeException(FailureKind.DANGLING, message, "", false, holder, null);
    }

    /** The same failure with advice for the person who reads it. */
    public VolumeException withAdvice(String text) {
        return copy(text, provesAbsent, getCause());
    }

    /** The same failure with its cause. */
    public VolumeException withCause(Throwable reason) {
        return copy(advice, provesAbsent, reason);
    }

    /**
     * This failure, for a call whose earlier steps already had effects. A failure that says "nothing happened"
     * describes its own step only, so the outcome of the whole call is unknown.
     *
     * @return an uncertain failure; this one if it is uncertain already
     */
    public VolumeException afterEffect() {
        return kind == FailureKind.UNCERTAIN
                ? this
                : uncertain("it was done, but then: " + reason())
                        .withAdvice(advice)
                        .withCause(this);
    }

    /**
     * The same failure, which also proves that earlier calls left nothing behind.
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

    /** Whether the failure also proves that earlier calls with an unknown outcome left nothing behind. */
    public boolean provesAbsent() {
        return provesAbsent;
    }

    /** The node that holds the dangling attachment; {@code ""} for the other kinds. */
    public String holder() {
        return holder;
    }

    /**
     * What the call tried, on what, and why it failed, without the advice. For texts that show the advice in a
     * separate place.
     */
    public String reason() {
        return Objects.requireNonNull(super.getMessage());
    }

    /**
     * The {@link #reason()}, then a dash and the {@link #advice()}. Without the advice if the reason contains it
     * already.
     */
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
