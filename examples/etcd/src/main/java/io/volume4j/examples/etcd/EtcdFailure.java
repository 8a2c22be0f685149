package io.volume4j.examples.etcd;

import io.etcd.jetcd.common.exception.CompactedException;
import io.etcd.jetcd.common.exception.ErrorCode;
import io.etcd.jetcd.common.exception.EtcdExceptionFactory;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import javax.net.ssl.SSLException;

/** The meaning of an error of etcd or of its client: the adapter's possible reaction, and the exception for the caller. */
final class EtcdFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The adapter's possible reaction. */
    enum Kind {
        /** etcd has compacted the requested revision: request a newer one. */
        COMPACTED,
        /** The answer exceeds the client's size limit: request less. */
        ANSWER_TOO_LARGE,
        /** The connection broke or the member cannot answer: another member may. */
        BROKEN,
        OTHER
    }

    private final Kind kind;
    private final transient ClusterException refusal;

    private EtcdFailure(Kind kind, Reason reason, String message) {
        super(message);
        this.kind = kind;
        refusal = new ClusterException(reason, message);
    }

    Kind kind() {
        return kind;
    }

    /** The exception for the caller. */
    ClusterException refusal() {
        return refusal;
    }

    static EtcdFailure late(String what, long seconds) {
        return new EtcdFailure(
                Kind.BROKEN,
                Reason.UNAVAILABLE,
                what + ": no member of etcd answered within " + seconds
                        + " s; check that a majority of the members runs and can be reached");
    }

    static EtcdFailure ofTls(String what, SSLException failed) {
        return new EtcdFailure(
                Kind.BROKEN,
                Reason.UNAVAILABLE,
                what + ": no member of etcd could be reached with TLS: " + failed.getMessage()
                        + "; check the certificate files of this process, which the next connection reads again, and the"
                        + " members' certificates");
    }

    static EtcdFailure ofOldPassword(String what) {
        return new EtcdFailure(
                Kind.BROKEN,
                Reason.UNAVAILABLE,
                what + ": etcd refused this user's earlier password; the next call uses the present one");
    }

    static EtcdFailure interrupted(String what) {
        return new EtcdFailure(Kind.OTHER, Reason.UNAVAILABLE, what + ": interrupted");
    }

    static EtcdFailure of(String what, Throwable cause) {
        String said = String.valueOf(cause.getMessage());
        // the client reports errors of some calls as its own exceptions, others as those of gRPC
        ErrorCode code = EtcdExceptionFactory.toEtcdException(cause).getErrorCode();
        if (cause instanceof CompactedException || said.contains("required revision has been compacted")) {
            return new EtcdFailure(
                    Kind.COMPACTED, Reason.UNAVAILABLE, what + ": etcd forgot the revision that was asked for");
        }
        if (code == ErrorCode.RESOURCE_EXHAUSTED && said.contains("gRPC message exceeds maximum size")) {
            return new EtcdFailure(
                    Kind.ANSWER_TOO_LARGE,
                    Reason.UNAVAILABLE,
                    what + ": the answer is larger than this client takes (" + said + "); raise its largestAnswer");
        }
        if (said.contains("request is too large")
                || said.contains("too many operations")
                || said.contains("received message larger than max")) {
            return new EtcdFailure(
                    Kind.OTHER,
                    Reason.INVALID,
                    what + ": etcd takes no request of this size (" + said
                            + "); make the object smaller, or start etcd with a larger --max-request-bytes");
        }
        if (said.contains("database space exceeded")) {
            return new EtcdFailure(
                    Kind.OTHER,
                    Reason.UNAVAILABLE,
                    what
                            + ": etcd's database is full (NOSPACE), so it takes no writes until an operator compacts and defragments"
                            + " it and disarms the alarm (etcdctl compact --physical, defrag, alarm disarm); the call is tried again");
        }
        if (code == ErrorCode.UNKNOWN && said.contains("channel closed")) {
            // gRPC's code for a call that is sent while its connection breaks
            return broken(what, said);
        }
        return switch (code) {
            case PERMISSION_DENIED, UNAUTHENTICATED ->
                new EtcdFailure(
                        Kind.OTHER,
                        Reason.FORBIDDEN,
                        what + ": etcd does not let this user do that (" + said
                                + "); check user, password and the user's roles for the prefix");
            case INVALID_ARGUMENT -> {
                boolean account = said.contains("authentication failed") || said.contains("user name is empty");
                yield new EtcdFailure(Kind.OTHER, account ? Reason.FORBIDDEN : Reason.INVALID, what + ": " + said);
            }
            case UNAVAILABLE, INTERNAL, CANCELLED -> broken(what, said);
            default -> new EtcdFailure(Kind.OTHER, Reason.UNAVAILABLE, what + ": etcd could not do it now: " + said);
        };
    }

    private static EtcdFailure broken(String what, String said) {
        return new EtcdFailure(Kind.BROKEN, Reason.UNAVAILABLE, what + ": no member of etcd could do it now: " + said);
    }
}
