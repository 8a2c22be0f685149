package io.volume4j.csi.internal.transport;

import java.io.IOException;

/** What is at a driver's path, or answers there, could be somebody else. */
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
