package io.volume4j.csi.internal.transport;

/** There is no driver to talk to, or none that may be talked to. Nothing was sent. */
public final class DriverUnreachableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean refused;

    DriverUnreachableException(String message, boolean refused, Exception cause) {
        super(message, cause);
        this.refused = refused;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }

    /** Whether something is there that we will not talk to; waiting does not help then. */
    public boolean refused() {
        return refused;
    }
}
