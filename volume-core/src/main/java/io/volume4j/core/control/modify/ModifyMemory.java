package io.volume4j.core.control.modify;

import io.volume4j.core.control.host.facts.Doubt;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of changing the attributes of one claim's volume in this process. If they are lost with the process, idempotent calls
 * find them out again. They concern that volume only: another volume may get its name or its claim later.
 *
 * @param epoch of this process as leader at that time; the outcomes do not include the work of another leader
 * @param volumeUid of that volume
 * @param modified the class that the backend applied, {@code ""} before its answer
 * @param failure of the last call, null if there is none
 * @param failedClass the class in that call
 * @param failedAt loop time
 * @param doubt whether a call may have had an effect that no later call has found or excluded
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

    /** The outcomes for that leader and that volume; empty if these are of another one. */
    ModifyMemory of(long leader, String volume) {
        return epoch == leader && volumeUid.equals(volume) ? this : begin(leader, volume);
    }

    ModifyMemory changed(String attributesClass) {
        return new ModifyMemory(epoch, volumeUid, attributesClass, null, "", 0, Doubt.NONE);
    }

    ModifyMemory failed(VolumeException why, String attributesClass, long at) {
        return new ModifyMemory(epoch, volumeUid, "", why, attributesClass, at, doubt.after(why));
    }

    /** Why the last call did not apply that class; null if it did, or was for another class. */
    @Nullable
    VolumeException failureOf(String attributesClass) {
        return failedClass.equals(attributesClass) ? failure : null;
    }

    /** Whether the last call for that class failed, but a later retry may succeed. An earlier call may be in doubt. */
    boolean finallyFailed(String attributesClass) {
        @Nullable VolumeException of = failureOf(attributesClass);
        return of != null && of.kind() == FailureKind.FINAL;
    }

    /** A refusal of one class is not valid for another class. */
    boolean infeasible(String attributesClass) {
        @Nullable VolumeException of = failureOf(attributesClass);
        return of != null && of.kind() == FailureKind.INFEASIBLE;
    }

    private static ModifyMemory begin(long leader, String volume) {
        return new ModifyMemory(leader, volume, "", null, "", 0, Doubt.NONE);
    }
}
