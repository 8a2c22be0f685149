package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.WellKnown;
import java.util.List;
import java.util.Optional;

/**
 * What a scheduler writes before it gives a pod its node; binding goes on from there, also after a crash. Each compares
 * first and is empty where nothing differs.
 */
public final class SchedulerWrites {
    private SchedulerWrites() {}

    /** Reserves an available volume for the claim: write 1 of a binding. */
    public static Optional<ObjectWrite> reserve(PersistentVolume volume, PersistentVolumeClaim claim) {
        return VolumeWrites.reserve(volume, claim);
    }

    /** Has the claim's volume made where the node can reach it. */
    public static Optional<ObjectWrite> select(PersistentVolumeClaim claim, String node) {
        return claim.metadata().annotation(WellKnown.SELECTED_NODE).equals(node)
                ? Optional.empty()
                : Optional.of(ObjectWrite.of(claim, List.of(VolumeWrites.annotate(WellKnown.SELECTED_NODE, node))));
    }

    /** Whether the claim is bound for good: it names a volume, and the binding was completed. */
    public static boolean bound(PersistentVolumeClaim claim) {
        return !claim.spec().volumeName().isEmpty() && Annotation.bindCompleted(claim);
    }

    /** Whether the volume is free or this claim's. */
    public static boolean mayBelongTo(PersistentVolume volume, PersistentVolumeClaim claim) {
        return ClaimReference.unclaimed(volume) || ClaimReference.isFor(volume, claim);
    }
}
