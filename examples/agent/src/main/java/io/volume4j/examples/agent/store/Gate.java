package io.volume4j.examples.agent.store;

import java.util.function.Predicate;

/**
 * Decides about each request of a store: may delay it, slow the client down, or deny the request. Called on the request's thread
 * before anything is done; may block. Thread-safe.
 *
 * <p>For a write with owners that it newly blocks ({@code blockOwnerDeletion}), it is asked again for each of them, whether the user may
 * {@code update} the {@code finalizers} of the owner: the admission plugin OwnerReferencesPermissionEnforcement asks the same.
 */
@FunctionalInterface
public interface Gate {
    /** A request. */
    interface Call {
        /** The bearer token; {@code ""} for none. */
        String token();

        /** {@code get}, {@code list}, {@code watch}, {@code create}, {@code patch} or {@code delete}; {@code update} for finalizers. */
        String verb();

        /** {@code ""} for the core group. */
        String group();

        /** {@code persistentvolumes}, {@code persistentvolumes/status} or {@code pods/finalizers}. */
        String resource();

        /** {@code ""} for all, and for kinds without namespaces. */
        String namespace();
    }

    /** The decision about a request. */
    enum Verdict {
        PASS,
        /** 403: the client's role does not allow it. */
        FORBIDDEN,
        /** 429 with {@code Retry-After: 1}. */
        TOO_MANY
    }

    Verdict judge(Call call) throws InterruptedException;

    /** Permits every request. */
    static Gate open() {
        return call -> Verdict.PASS;
    }

    /** Denies requests that the predicate does not permit. */
    static Gate allowing(Predicate<Call> allowed) {
        return call -> allowed.test(call) ? Verdict.PASS : Verdict.FORBIDDEN;
    }
}
