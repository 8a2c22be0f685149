package io.volume4j.csi.internal.metadata;

import io.grpc.Status;
import io.volume4j.core.control.SnapshotNotUsableException;
import io.volume4j.csi.SnapshotAccess;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import java.util.Set;

/**
 * The gRPC status that a client gets for a failure. UNAVAILABLE asks the client to try again. The service passes on the codes with
 * which a driver rejects the request itself (CSI, GetMetadataAllocated and GetMetadataDelta errors).
 */
final class Answers {
    private static final Set<Status.Code> OF_THE_QUESTION = Set.of(
            Status.Code.INVALID_ARGUMENT,
            Status.Code.NOT_FOUND,
            Status.Code.OUT_OF_RANGE,
            Status.Code.FAILED_PRECONDITION,
            Status.Code.RESOURCE_EXHAUSTED);

    private Answers() {}

    /** OK if the user may read the snapshots. */
    static Status of(SnapshotAccess.Answer answer) {
        return switch (answer.verdict()) {
            case ALLOWED -> Status.OK;
            case UNKNOWN_TOKEN ->
                Status.UNAUTHENTICATED.withDescription(
                        "the token is of no user, has expired, or was made for another audience");
            case DENIED ->
                Status.PERMISSION_DENIED.withDescription("the user may not read the snapshots of the namespace"
                        + (answer.why().isEmpty() ? "" : ": " + answer.why()));
        };
    }

    static Status of(Throwable failure) {
        if (failure instanceof StreamEndedException ended) {
            return ended.status();
        }
        if (failure instanceof SnapshotNotUsableException unusable) {
            return of(unusable.reason()).withDescription(unusable.getMessage());
        }
        if (failure instanceof ClusterException unreadable) {
            return Status.UNAVAILABLE.withDescription(unreadable.getMessage());
        }
        if (failure instanceof VolumeException failed) {
            return of(failed).withDescription(failed.getMessage());
        }
        return Status.INTERNAL.withDescription("the service failed; its log says why");
    }

    private static Status of(SnapshotNotUsableException.Reason reason) {
        return switch (reason) {
            case MISSING -> Status.NOT_FOUND;
            case NOT_READY -> Status.UNAVAILABLE;
            case UNSUPPORTED, UNRELATED -> Status.INVALID_ARGUMENT;
        };
    }

    private static Status of(VolumeException failed) {
        if (failed.getCause() instanceof CsiException answered && OF_THE_QUESTION.contains(answered.code())) {
            return answered.code().toStatus();
        }
        return failed.kind() == FailureKind.FINAL ? Status.INTERNAL : Status.UNAVAILABLE;
    }
}
