package io.volume4j.csi.internal.transport;

import java.io.IOException;

/** Another user could own the socket at a driver's path, or the process that answers there. */
final class UntrustedSocketException extends IOException {
    private static final long serialVersionUID = 1L;

    UntrustedSocketException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
