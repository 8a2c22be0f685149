package io.volume4j.csi.internal.transport;

import java.io.IOException;

/** What is at a driver's path, or answers there, could belong to another user. */
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
