package io.volume4j.core.control.expand;

import io.volume4j.core.control.host.facts.Doubt;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of expanding one claim's volume in this process. If they are lost with the process, idempotent calls find them out
 * again. They concern that volume only: another volume may get its name or its claim later.
 *
 * @param epoch of this process as leader at that time; the outcomes do not include the work of another leader
 * @param volumeUid of that volume
 * @param grownTo the size that the backend reported, 0 before its answer
 * @param nodeNeeded whether the nodes must expand it too
 * @param failure of the last call to expand, null if there is none
 * @param failedTarget the size in that call
 * @param failedAt loop time
 * @param doubt whether a call to expand may have had an effect that no later call has found or excluded
 */
public record ExpandMemory(
        long epoch,
        String volumeUid,
        long grownTo,
        boolean nodeNeeded,
        @Nullable VolumeException failure,
        long failedTarget,
        long failedAt,
        Doubt doubt) {
    private static final ExpandMemory NOTHING = begin(0, "");

    public static ExpandMemory nothing() {
        return NOTHING;
    }

    /** The outcomes for that leader and that volume; empty if these are of another one. */
    public ExpandMemory of(long leader, String volume) {
        return epoch == leader && volumeUid.equals(volume) ? this : begin(leader, volume);
    }

    public ExpandMemory grown(long bytes, boolean needsNode) {
        return new ExpandMemory(epoch, volumeUid, bytes, needsNode, null, 0, 0, Doubt.NONE);
    }

    public ExpandMemory failed(VolumeException why, long target, long at) {
        return new ExpandMemory(epoch, volumeUid, 0, false, why, target, at, doubt.after(why));
    }

    /** Whether the last call for that size failed permanently. An earlier call may be in doubt. */
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

    private static ExpandMemory begin(long leader, String volume) {
        return new ExpandMemory(leader, volume, 0, false, null, 0, 0, Doubt.NONE);
    }
}
