package io.volume4j.csi.internal.metadata;

import io.grpc.Status;

/**
 * The service can send no more blocks to a client. Not a gRPC exception: a plugin would mistake that for its driver's answer and
 * continue the driver's stream.
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
