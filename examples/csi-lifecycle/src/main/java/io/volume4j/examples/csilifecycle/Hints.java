package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.rpc.Advice;

/** What a driver's author can do about a failed call, with an option of this program if one helps. */
final class Hints {
    private Hints() {}

    /** For users; empty if the message says everything. */
    static String of(CsiException failure) {
        if (isNoDriver(failure)) {
            return "what listens there does not speak gRPC: name the driver's CSI socket, not that of its metrics or its"
                    + " health";
        }
        return switch (failure.advice()) {
            case TRUST_SOCKET ->
                "the path must lead to the driver's socket, and only root, you or the user of --trust-uid may own it and"
                        + " may write to the directories on the way";
            case REPLAY, CHECK_DRIVER ->
                "the call was repeated as often as --timeout lets it; the driver's log tells more";
            case RAISE_LIMIT -> "the driver must keep to max_entries and send smaller pages";
            case FIX_REQUEST ->
                "the specification allows this request; if the driver needs more, give it with --parameter, --context or"
                        + " --secrets";
            case RESOLVE_SECRETS -> "give the driver's secrets with --secrets FILE";
            case FREE_CAPACITY, CHANGE_SIZE -> "free capacity, or ask for another --size";
            case CHANGE_PARAMETERS -> "name others with --parameter or --mutable";
            case CHECK_ID -> "the driver does not know what it has made itself; with --volume, check its id";
            case REFRESH_NODE_INFO ->
                "max_volumes_per_node of NodeGetInfo must tell how many volumes the node takes; free the node of others";
            case REFRESH_CAPABILITIES -> "the driver has the capability and not the call: they must agree";
            default -> failure.advice().text();
        };
    }

    /** Whether every further attempt would fail, because a user must act first. */
    static boolean isPermanent(CsiException failure) {
        return failure.advice() == Advice.RAISE_LIMIT
                || failure.advice() == Advice.TRUST_SOCKET
                || failure.code() == Code.OK
                || failure.answered(Code.ALREADY_EXISTS)
                || isNoDriver(failure);
    }

    /**
     * gRPC returns these codes without an answer if the other side speaks HTTP instead of gRPC (status 401, 403 and 404), or
     * not even HTTP/2.
     */
    private static boolean isNoDriver(CsiException failure) {
        return switch (failure.phase()) {
            case NEVER_SENT -> failure.code() == Code.INTERNAL;
            case SENT_WITHOUT_ANSWER ->
                failure.code() == Code.UNIMPLEMENTED
                        || failure.code() == Code.UNAUTHENTICATED
                        || failure.code() == Code.PERMISSION_DENIED;
            case ANSWERED -> false;
        };
    }
}
