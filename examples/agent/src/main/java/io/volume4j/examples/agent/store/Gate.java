package io.volume4j.examples.agent.store;

import java.util.function.Predicate;

/**
 * Stands before a store: holds requests up, slows clients down, or denies what they may not do. Called on the request's thread before
 * anything is done; may block. Thread-safe.
 */
@FunctionalInterface
public interface Gate {
    /** What is asked. */
    interface Call {
        /** The bearer token; {@code ""} for none. */
        String token();

        /** {@code get}, {@code list}, {@code watch}, {@code create}, {@code patch} or {@code delete}. */
        String verb();

        /** {@code ""} for the core group. */
        String group();

        /** {@code persistentvolumes} or {@code persistentvolumes/status}. */
        String resource();

        /** {@code ""} for all, and for kinds without namespaces. */
        String namespace();
    }

    /** What becomes of a request. */
    enum Verdict {
        PASS,
        /** 403: the client's role does not allow it. */
        FORBIDDEN,
        /** 429 with {@code Retry-After: 1}. */
        TOO_MANY
    }

    Verdict judge(Call call) throws InterruptedException;

    /** Lets everything through. */
    static Gate open() {
        return call -> Verdict.PASS;
    }

    /** Denies what the predicate does not allow. */
    static Gate allowing(Predicate<Call> allowed) {
        return call -> allowed.test(call) ? Verdict.PASS : Verdict.FORBIDDEN;
    }
}
