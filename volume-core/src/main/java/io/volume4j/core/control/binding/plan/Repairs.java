package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decisions that users take and that never happen automatically: releasing a volume that was kept for its content, and giving up
 * the lost volume of a claim.
 */
public final class Repairs {
    private Repairs() {}

    /**
     * Why the volume must not be released; empty if only its use could prevent it, which the caller checks.
     *
     * @param owner the claim with the name in the volume's {@code claimRef}, read from the store; null for none
     */
    public static Optional<String> refusalToRelease(PersistentVolume volume, @Nullable PersistentVolumeClaim owner) {
        String name = "volume " + volume.metadata().name();
        if (volume.metadata().deleting()) {
            return Optional.of(name + " is being deleted");
        }
        if (volume.spec().reclaimPolicy() != ReclaimPolicy.RETAIN) {
            return Optional.of(name + " has the reclaim policy "
                    + volume.spec().reclaimPolicy().apiName()
                    + ", by which it is deleted or emptied; set it to Retain first to keep what is in it");
        }
        if (ReclaimIntent.open(volume)) {
            return Optional.of("the storage of " + name
                    + " may be being deleted or emptied, or be so already; look at it, and if all is there, remove the annotation "
                    + Annotation.RECLAIM_INTENT);
        }
        if (owner != null && owner.metadata().uid().equals(ClaimReference.uid(volume))) {
            return Optional.of(name + " is bound to " + owner.key() + "; delete the claim first");
        }
        return Optional.empty();
    }

    /**
     * Makes the volume available to a claim that fits, or reserves it by name. The content stays. The planner then sets the phase.
     *
     * @param claim the claim for which it is reserved, null for any claim
     */
    public static ObjectWrite release(PersistentVolume volume, @Nullable ObjectKey claim) {
        List<FieldChange> changes = new ArrayList<>();
        if (claim == null) {
            changes.add(FieldChange.remove("spec", "claimRef"));
        } else {
            Map<String, Object> reference = new LinkedHashMap<>();
            reference.put("apiVersion", claim.kind().apiVersion());
            reference.put("kind", claim.kind().apiName());
            reference.put("namespace", claim.namespace());
            reference.put("name", claim.name());
            changes.add(FieldChange.set(reference, "spec", "claimRef"));
        }
        if (Annotation.boundByController(volume)) {
            changes.add(FieldChange.remove("metadata", "annotations", WellKnown.BOUND_BY_CONTROLLER));
        }
        return ObjectWrite.of(volume, changes);
    }

    /**
     * Why the claim must not become unbound.
     *
     * @param volume the claim's volume, read from the store; null if it is gone
     */
    public static Optional<String> refusalToRepair(PersistentVolumeClaim claim, @Nullable PersistentVolume volume) {
        if (claim.metadata().deleting()) {
            return Optional.of(claim.key() + " is being deleted");
        }
        if (claim.status().phase() != ClaimPhase.LOST) {
            return Optional.of(claim.key() + " is not lost: its phase is "
                    + claim.status().phase().apiName());
        }
        if (volume != null && (ClaimReference.unclaimed(volume) || ClaimReference.isFor(volume, claim))) {
            return Optional.of("volume " + volume.metadata().name() + " of " + claim.key()
                    + " is there again, so the claim is about to be bound to it");
        }
        return Optional.empty();
    }

    /** Turns a lost claim into a claim that was never bound. It gives up the lost volume. */
    public static ObjectWrite beginAnew(PersistentVolumeClaim claim) {
        List<FieldChange> changes = new ArrayList<>();
        changes.add(FieldChange.remove("spec", "volumeName"));
        changes.add(FieldChange.remove("metadata", "annotations", WellKnown.BIND_COMPLETED));
        changes.add(FieldChange.remove("metadata", "annotations", WellKnown.BOUND_BY_CONTROLLER));
        return ObjectWrite.of(claim, changes);
    }

    /** What a user can do if the store does not let a claim give up the name of its volume, as Kubernetes' API server does not. */
    public static String insteadOfBeginningAnew(PersistentVolumeClaim claim) {
        String volume = claim.spec().volumeName();
        return "this API server never lets a claim give up the name of its volume; delete " + claim.key()
                + " and create it again, or, if the storage is still there, create PersistentVolume " + volume
                + " for it, and the claim is bound again";
    }
}
