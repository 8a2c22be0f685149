package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of reclaiming one volume; lost with the process, and then found out again by idempotent calls.
 *
 * @param looked whether the store was asked, after the intent was stored, who uses volumes
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

    /** One look serves one call. */
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
     * After the volume was given to another claim, or made free: what was emptied may be filled again, and only that storage is gone
     * holds for every owner.
     */
    public ReclaimMemory ofAnotherOwner() {
        return deleted ? afterDelete() : NOTHING;
    }

    /** Whether the last call was only refused because the volume is in use. */
    boolean inUse() {
        return lastFailure != null && lastFailure.kind() == FailureKind.IN_USE;
    }
}
