package io.volume4j.csi.internal.rpc;

import io.volume4j.spi.FailureKind;

/**
 * The meaning of a failed call.
 *
 * @param kind what the library does about it
 * @param provesAbsent whether the failure proves that the object of the call does not exist
 */
public record Verdict(FailureKind kind, Advice advice, boolean provesAbsent) {
    static Verdict of(FailureKind kind, Advice advice) {
        return new Verdict(kind, advice, false);
    }

    Verdict provingAbsence() {
        return new Verdict(kind, advice, true);
    }

    Verdict as(FailureKind otherKind) {
        return new Verdict(otherKind, advice, provesAbsent);
    }
}
