package io.volume4j.core.control.expand;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of expanding and changing one claim's volume; lost with the process, and then found out again
 * by idempotent calls. It speaks of that volume only: its name, and the claim, may be another one's by now.
 *
 * @param epoch of the leader that this process was when it heard this; what another leader did since, it does not say
 * @param volumeUid of the volume that it speaks of
 * @param grownTo the size that the backend gave, 0 if it has not answered
 * @param nodeNeeded whether the nodes have to follow
 * @param failure of the last call to expand, null if there is none
 * @param failedTarget the size that it asked for
 * @param failedAt loop time
 * @param doubt whether a call to expand may have had an effect that no later call has accounted for
 * @param modified the class whose attributes the backend took over, {@code ""} if it has not answered
 * @param modifyFailure of the last call to change attributes, null if there is none
 * @param modifyFailedClass the class whose attributes that call asked for
 * @param modifyFailedAt loop time
 * @param modifyDoubt whether a call to change attributes may have had such an effect
 */
public record ExpandMemory(
        long epoch,
        String volumeUid,
        long grownTo,
        boolean nodeNeeded,
        @Nullable VolumeException failure,
        long failedTarget,
        long failedAt,
        Doubt doubt,
        String modified,
        @Nullable VolumeException modifyFailure,
        String modifyFailedClass,
        long modifyFailedAt,
        Doubt modifyDoubt) {
    /** What is known of the effects of earlier calls. */
    public enum Doubt {
        /** This process's calls had none, or a later one accounted for it; of an earlier leader's calls nothing is known. */
        NONE,
        /** A call may have had one. */
        OPEN,
        /** A call proved that there is none, of an earlier leader's calls either. */
        DISPROVED;

        /** A failure speaks for its own call only, unless it proves more. */
        Doubt after(VolumeException failure) {
            if (failure.provesAbsent()) {
                return DISPROVED;
            }
            return failure.kind() == FailureKind.UNCERTAIN ? OPEN : this;
        }

        /** @param inherited whether an earlier leader may have made a call */
        boolean open(boolean inherited) {
            return this == OPEN || (inherited && this != DISPROVED);
        }
    }

    private static final ExpandMemory NOTHING = begin(0, "");

    public static ExpandMemory nothing() {
        return NOTHING;
    }

    /** The same for that leader and that volume: nothing if it is of another one. */
    public ExpandMemory of(long leader, String volume) {
        return epoch == leader && volumeUid.equals(volume) ? this : begin(leader, volume);
    }

    public ExpandMemory grown(long bytes, boolean needsNode) {
        return new ExpandMemory(
                epoch,
                volumeUid,
                bytes,
                needsNode,
                null,
                0,
                0,
                Doubt.NONE,
                modified,
                modifyFailure,
                modifyFailedClass,
                modifyFailedAt,
                modifyDoubt);
    }

    public ExpandMemory failed(VolumeException why, long target, long at) {
        return new ExpandMemory(
                epoch,
                volumeUid,
                0,
                false,
                why,
                target,
                at,
                doubt.after(why),
                modified,
                modifyFailure,
                modifyFailedClass,
                modifyFailedAt,
                modifyDoubt);
    }

    public ExpandMemory changed(String attributesClass) {
        return new ExpandMemory(
                epoch,
                volumeUid,
                grownTo,
                nodeNeeded,
                failure,
                failedTarget,
                failedAt,
                doubt,
                attributesClass,
                null,
                "",
                0,
                Doubt.NONE);
    }

    public ExpandMemory changeFailed(VolumeException why, String attributesClass, long at) {
        return new ExpandMemory(
                epoch,
                volumeUid,
                grownTo,
                nodeNeeded,
                failure,
                failedTarget,
                failedAt,
                doubt,
                "",
                why,
                attributesClass,
                at,
                modifyDoubt.after(why));
    }

    /** Whether the last call for that size failed in a way that will not become better; an earlier one may be in doubt. */
    boolean finallyFailed(long target) {
        return failure != null
                && failedTarget == target
                && (failure.kind() == FailureKind.FINAL || failure.kind() == FailureKind.INFEASIBLE);
    }

    boolean infeasible(long target) {
        return failure != null && failedTarget == target && failure.kind() == FailureKind.INFEASIBLE;
    }

    boolean inUse() {
        return failure != null && failure.kind() == FailureKind.IN_USE;
    }

    /** Why the last call did not give that class; null if it did, or asked for another one. */
    @Nullable
    VolumeException modifyFailureOf(String attributesClass) {
        return modifyFailedClass.equals(attributesClass) ? modifyFailure : null;
    }

    /** Whether the last call for that class failed in a way that may yet become better; an earlier one may be in doubt. */
    boolean modifyFinallyFailed(String attributesClass) {
        VolumeException of = modifyFailureOf(attributesClass);
        return of != null && of.kind() == FailureKind.FINAL;
    }

    /** What one class was refused for says nothing of another. */
    boolean modifyInfeasible(String attributesClass) {
        VolumeException of = modifyFailureOf(attributesClass);
        return of != null && of.kind() == FailureKind.INFEASIBLE;
    }

    private static ExpandMemory begin(long leader, String volume) {
        return new ExpandMemory(leader, volume, 0, false, null, 0, 0, Doubt.NONE, "", null, "", 0, Doubt.NONE);
    }
}
