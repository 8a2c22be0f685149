package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.WellKnown;
import java.util.List;
import java.util.Optional;

/**
 * The writes of a scheduler before it gives a pod its node. The binding controller continues from them, also after a crash. Each is
 * empty if it would change nothing.
 */
public final class SchedulerWrites {
    private SchedulerWrites() {}

    /** Reserves an available volume for the claim: write 1 of a binding. */
    public static Optional<ObjectWrite> reserve(PersistentVolume volume, PersistentVolumeClaim claim) {
        return VolumeWrites.reserve(volume, claim);
    }

    /** Selects the node, so that a volume is provisioned that is accessible from it. */
    public static Optional<ObjectWrite> select(PersistentVolumeClaim claim, String node) {
        return claim.metadata().annotation(WellKnown.SELECTED_NODE).equals(node)
                ? Optional.empty()
                : Optional.of(ObjectWrite.of(claim, List.of(VolumeWrites.annotate(WellKnown.SELECTED_NODE, node))));
    }

    /** Whether the claim is bound: it has a volume name, and the binding was completed. */
    public static boolean bound(PersistentVolumeClaim claim) {
        return !claim.spec().volumeName().isEmpty() && Annotation.bindCompleted(claim);
    }

    /** Whether the volume is free or belongs to this claim. */
    public static boolean mayBelongTo(PersistentVolume volume, PersistentVolumeClaim claim) {
        return ClaimReference.unclaimed(volume) || ClaimReference.isFor(volume, claim);
    }
}
