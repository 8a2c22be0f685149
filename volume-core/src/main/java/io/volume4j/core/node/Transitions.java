package io.volume4j.core.node;

import io.volume4j.core.engine.Outcome;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;

/**
 * Computes the new state after an outcome. A failure describes its own call only. An uncertain state ends by a
 * success, by the inverse call, or by a final failure that proves absence.
 */
public final class Transitions {
    private Transitions() {}

    /** The state after a mount call. Never makes a certain mount uncertain. */
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

    /** The state after an unmount call. */
    public static MountState afterUnmount(MountState before, Outcome outcome) {
        if (outcome.succeeded() || outcome.requireFailure().provesAbsent()) {
            return MountState.NOT_MOUNTED;
        }
        return nothingHappened(outcome.requireFailure()) ? before : MountState.UNCERTAIN;
    }

    /** The state after an attach call. Never makes a certain attachment uncertain. */
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

    /** The state after a detach call. */
    public static AttachState afterDetach(AttachState before, Outcome outcome) {
        if (outcome.succeeded() || outcome.requireFailure().provesAbsent()) {
            return AttachState.DETACHED;
        }
        return nothingHappened(outcome.requireFailure()) ? before : AttachState.UNCERTAIN;
    }

    /**
     *
     * @param target the size of the expansion, in bytes
     */
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
