package io.volume4j.core.node;

import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;

/**
 * What an outcome makes of a state. A failure speaks for its own call only: doubt that was there before ends by a success,
 * by the inverse call, or by a final failure that proves absence.
 */
public final class Transitions {
    private Transitions() {}

    /** After a call that makes a mount. A certain mount is never downgraded by a call that would have made it. */
    public static MountState afterMount(MountState before, Outcome outcome) {
        if (outcome.succeeded()) {
            return MountState.MOUNTED;
        }
        VolumeException failure = outcome.requireFailure();
        if (before.certain()) {
            return before;
        }
        if (failure.provesAbsent()) {
            return MountState.NOT_MOUNTED;
        }
        return failure.kind() == FailureKind.UNCERTAIN ? MountState.UNCERTAIN : before;
    }

    /** After a call that takes a mount away. */
    public static MountState afterUnmount(MountState before, Outcome outcome) {
        if (outcome.succeeded() || outcome.requireFailure().provesAbsent()) {
            return MountState.NOT_MOUNTED;
        }
        return nothingHappened(outcome.requireFailure()) ? before : MountState.UNCERTAIN;
    }

    /** After a call that attaches. A certain attachment is never downgraded by a call that would have made it. */
    public static AttachState afterAttach(AttachState before, Outcome outcome) {
        if (outcome.succeeded()) {
            return AttachState.ATTACHED;
        }
        VolumeException failure = outcome.requireFailure();
        if (before == AttachState.ATTACHED) {
            return AttachState.ATTACHED;
        }
        if (failure.provesAbsent()) {
            return AttachState.DETACHED;
        }
        return failure.kind() == FailureKind.UNCERTAIN ? AttachState.UNCERTAIN : before;
    }

    /** After a call that detaches. */
    public static AttachState afterDetach(AttachState before, Outcome outcome) {
        if (outcome.succeeded() || outcome.requireFailure().provesAbsent()) {
            return AttachState.DETACHED;
        }
        return nothingHappened(outcome.requireFailure()) ? before : AttachState.UNCERTAIN;
    }

    /** @param target how large it was to become */
    public static Growth afterExpansion(Growth before, long target, Outcome outcome) {
        if (outcome.succeeded()) {
            return before.grown(target);
        }
        VolumeException failure = outcome.requireFailure();
        return switch (failure.kind()) {
            case FINAL, INFEASIBLE -> before.refused(target, failure.getMessage());
            case UNCERTAIN -> before.begun(target);
            case TRANSIENT, IN_USE, EXHAUSTED, DANGLING -> before.notDone();
        };
    }

    private static boolean nothingHappened(VolumeException failure) {
        return failure.kind() == FailureKind.TRANSIENT || failure.kind() == FailureKind.IN_USE;
    }
}
