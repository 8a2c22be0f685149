package io.volume4j.core.control.modify;

import io.volume4j.core.control.host.facts.Doubt;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of changing the attributes of one claim's volume; lost with the process, and then found out again by
 * idempotent calls. It speaks of that volume only: its name, and the claim, may be another one's by now.
 *
 * @param epoch of the leader that this process was when it heard this; what another leader did since, it does not say
 * @param volumeUid of the volume that it speaks of
 * @param modified the class whose attributes the backend took over, {@code ""} if it has not answered
 * @param failure of the last call, null if there is none
 * @param failedClass the class whose attributes that call asked for
 * @param failedAt loop time
 * @param doubt whether a call may have had an effect that no later call has accounted for
 */
public record ModifyMemory(
        long epoch,
        String volumeUid,
        String modified,
        @Nullable VolumeException failure,
        String failedClass,
        long failedAt,
        Doubt doubt) {
    private static final ModifyMemory NOTHING = begin(0, "");

    public static ModifyMemory nothing() {
        return NOTHING;
    }

    /** The same for that leader and that volume: nothing if it is of another one. */
    ModifyMemory of(long leader, String volume) {
        return epoch == leader && volumeUid.equals(volume) ? this : begin(leader, volume);
    }

    ModifyMemory changed(String attributesClass) {
        return new ModifyMemory(epoch, volumeUid, attributesClass, null, "", 0, Doubt.NONE);
    }

    ModifyMemory failed(VolumeException why, String attributesClass, long at) {
        return new ModifyMemory(epoch, volumeUid, "", why, attributesClass, at, doubt.after(why));
    }

    /** Why the last call did not give that class; null if it did, or asked for another one. */
    @Nullable
    VolumeException failureOf(String attributesClass) {
        return failedClass.equals(attributesClass) ? failure : null;
    }

    /** Whether the last call for that class failed in a way that may yet become better; an earlier one may be in doubt. */
    boolean finallyFailed(String attributesClass) {
        @Nullable VolumeException of = failureOf(attributesClass);
        return of != null && of.kind() == FailureKind.FINAL;
    }

    /** What one class was refused for says nothing of another. */
    boolean infeasible(String attributesClass) {
        @Nullable VolumeException of = failureOf(attributesClass);
        return of != null && of.kind() == FailureKind.INFEASIBLE;
    }

    private static ModifyMemory begin(long leader, String volume) {
        return new ModifyMemory(leader, volume, "", null, "", 0, Doubt.NONE);
    }
}
