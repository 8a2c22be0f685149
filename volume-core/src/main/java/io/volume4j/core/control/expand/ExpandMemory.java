package io.volume4j.core.control.expand;

import io.volume4j.core.control.host.facts.Doubt;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of expanding one claim's volume; lost with the process, and then found out again
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

    /** The same for that leader and that volume: nothing if it is of another one. */
    public ExpandMemory of(long leader, String volume) {
        return epoch == leader && volumeUid.equals(volume) ? this : begin(leader, volume);
    }

    public ExpandMemory grown(long bytes, boolean needsNode) {
        return new ExpandMemory(epoch, volumeUid, bytes, needsNode, null, 0, 0, Doubt.NONE);
    }

    public ExpandMemory failed(VolumeException why, long target, long at) {
        return new ExpandMemory(epoch, volumeUid, 0, false, why, target, at, doubt.after(why));
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

    private static ExpandMemory begin(long leader, String volume) {
        return new ExpandMemory(leader, volume, 0, false, null, 0, 0, Doubt.NONE);
    }
}
