package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of reclaiming one volume in this process. If they are lost with the process, idempotent calls find them out again.
 *
 * @param looked whether the controller read the users of volumes from the store after the intent was stored
 * @param deleted whether the storage is gone
 * @param emptied whether the storage was emptied
 * @param lastFailure of the last call that failed
 */
public record ReclaimMemory(
        boolean looked,
        boolean deleted,
        boolean emptied,
        @Nullable VolumeException lastFailure) {
    private static final ReclaimMemory NOTHING = new ReclaimMemory(false, false, false, null);

    public static ReclaimMemory nothing() {
        return NOTHING;
    }

    public ReclaimMemory afterLook() {
        return new ReclaimMemory(true, deleted, emptied, lastFailure);
    }

    /** One read serves one call. */
    public ReclaimMemory withoutLook() {
        return looked ? new ReclaimMemory(false, deleted, emptied, lastFailure) : this;
    }

    public ReclaimMemory afterDelete() {
        return new ReclaimMemory(false, true, false, null);
    }

    public ReclaimMemory afterRecycle() {
        return new ReclaimMemory(false, false, true, null);
    }

    public ReclaimMemory failed(VolumeException failure) {
        return new ReclaimMemory(false, false, false, failure);
    }

    /**
     * After the volume got another claim, or became free. Emptied storage may have new content. Only deleted storage stays deleted
     * for every owner.
     */
    public ReclaimMemory ofAnotherOwner() {
        return deleted ? afterDelete() : NOTHING;
    }

    /** Whether the last call failed only because the volume is in use. */
    boolean inUse() {
        return lastFailure != null && lastFailure.kind() == FailureKind.IN_USE;
    }
}
