package io.volume4j.csi;

import java.util.Objects;

/**
 * Says whether the bearer of a token may read the blocks of a namespace's snapshots. Of the host; where the cluster is Kubernetes, a
 * TokenReview for the audience of the service and a SubjectAccessReview for {@code get} of {@code volumesnapshots}. Called on any
 * thread, may block. Never logs the token.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SnapshotAccess {
    /**
     * Asks anew at each call.
     *
     * @throws io.volume4j.spi.host.ClusterException if it cannot be found out now; the caller may try again
     */
    Answer check(String token, String namespace);

    /** What came of it. */
    enum Verdict {
        ALLOWED,
        /** The token is of no user, or was not made for this service. */
        UNKNOWN_TOKEN,
        /** The user may not. */
        DENIED
    }

    /**
     * The verdict.
     *
     * @param why for the user, {@code ""} if there is nothing to say; must not carry the token
     */
    record Answer(Verdict verdict, String why) {
        public Answer {
            Objects.requireNonNull(verdict, "verdict");
            Objects.requireNonNull(why, "why");
        }

        public static Answer allowed() {
            return new Answer(Verdict.ALLOWED, "");
        }

        public static Answer unknownToken() {
            return new Answer(Verdict.UNKNOWN_TOKEN, "");
        }

        public static Answer denied(String why) {
            return new Answer(Verdict.DENIED, why);
        }
    }
}
