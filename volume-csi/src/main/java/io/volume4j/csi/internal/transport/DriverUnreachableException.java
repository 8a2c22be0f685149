package io.volume4j.csi.internal.transport;

/** No driver can be reached, or the socket is not trusted. Nothing was sent. */
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

    /** Whether the socket exists but is not trusted; then waiting does not help. */
    public boolean refused() {
        return refused;
    }
}
