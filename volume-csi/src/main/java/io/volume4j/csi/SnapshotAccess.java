package io.volume4j.csi;

import java.util.Objects;

/**
 * Says whether the user of a token may read the blocks of a namespace's snapshots. The host implements it. With
 * Kubernetes, it makes a TokenReview for the audience of the service, and a SubjectAccessReview for {@code get} of
 * {@code volumesnapshots}. Any thread may call it. Implementations may block and must never log the token.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SnapshotAccess {
    /**
     * Checks the token. Must not cache answers.
     * @throws io.volume4j.spi.host.ClusterException if the check is not possible now; the caller may retry
     */
    Answer check(String token, String namespace);

    /** The result of a check. */
    enum Verdict {
        ALLOWED,
        /** The token belongs to no user, or is for another audience. */
        UNKNOWN_TOKEN,
        /** The user does not have the permission. */
        DENIED
    }

    /**
     * The answer to a check.
     * @param why the reason, for the user; {@code ""} for none. Must not contain the token
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
