package io.volume4j.csi.internal.metadata;

import io.grpc.Status;

/**
 * Nothing more can be sent to a client. Not gRPC's own exception: a plugin that has one thrown through its call would take it for its
 * driver's answer, and ask the driver to go on.
 */
final class StreamEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status.Code code;

    StreamEndedException(Status.Code code, String message) {
        super(message);
        this.code = code;
    }

    Status status() {
        return code.toStatus().withDescription(getMessage());
    }
}
