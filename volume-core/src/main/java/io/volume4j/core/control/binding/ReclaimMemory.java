package io.volume4j.core.control.binding;

import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of reclaiming one volume; lost with the process, and then found out again by idempotent calls.
 *
 * @param deleted whether the storage is gone
 * @param emptied whether the storage was emptied
 * @param lastFailure of the last call that failed
 */
public record ReclaimMemory(
        boolean deleted, boolean emptied, @Nullable VolumeException lastFailure) {
    private static final ReclaimMemory NOTHING = new ReclaimMemory(false, false, null);

    public static ReclaimMemory nothing() {
        return NOTHING;
    }

    public ReclaimMemory afterDelete() {
        return new ReclaimMemory(true, false, null);
    }

    public ReclaimMemory afterRecycle() {
        return new ReclaimMemory(false, true, null);
    }

    public ReclaimMemory failed(VolumeException failure) {
        return new ReclaimMemory(false, false, failure);
    }

    /** Whether the last call was only refused because somebody uses the volume. */
    boolean inUse() {
        return lastFailure != null && lastFailure.kind() == FailureKind.IN_USE;
    }
}
