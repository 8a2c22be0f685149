package io.volume4j.spi.host;

import java.util.Objects;

/**
 * The cluster did not do what it was asked.
 *
 * @since 0.1.0
 */
public final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Reason {
        /** A precondition did not hold. Nothing was done. */
        CONFLICT,
        NOT_FOUND,
        ALREADY_EXISTS,
        /** The object is not one that the cluster takes. Nothing was done, and never will. */
        INVALID,
        /** Not allowed. Nothing was done. */
        FORBIDDEN,
        /** No answer. A write may have been done. */
        UNAVAILABLE
    }

    private final Reason reason;

    public ClusterException(Reason reason, String message) {
        super(Objects.requireNonNull(message, "message"));
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
