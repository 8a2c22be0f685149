package io.volume4j.spi.host;

import java.util.Objects;

/**
 * The cluster failed or refused a request of the library.
 *
 * @since 0.1.0
 */
public final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why the request failed. */
    public enum Reason {
        /** A precondition did not hold. The cluster changed nothing. */
        CONFLICT,
        NOT_FOUND,
        ALREADY_EXISTS,
        /** The cluster does not accept the object. It changed nothing, and a repetition fails too. */
        INVALID,
        /** The cluster does not permit the request. It changed nothing. */
        FORBIDDEN,
        /** The cluster did not answer. It may have done a write. */
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
