package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes to claims. Each is empty if it would change nothing. */
final class ClaimWrites {
    private ClaimWrites() {}

    /** Write 3 of a binding: sets the claim's volume. From now on the claim is lost if the volume is missing. */
    static Optional<ObjectWrite> complete(PersistentVolumeClaim claim, String volumeName, boolean dropIntent) {
        List<FieldChange> changes = new ArrayList<>();
        if (!claim.spec().volumeName().equals(volumeName)) {
            changes.add(FieldChange.set(volumeName, "spec", "volumeName"));
            if (!Annotation.boundByController(claim)) {
                changes.add(VolumeWrites.annotate(WellKnown.BOUND_BY_CONTROLLER, Annotation.YES));
            }
        }
        if (!Annotation.bindCompleted(claim)) {
            changes.add(VolumeWrites.annotate(WellKnown.BIND_COMPLETED, Annotation.YES));
        }
        if (dropIntent) {
            dropIntent(claim, changes);
        }
        return write(claim, changes);
    }

    /** Write 4 of a binding. The capacity changes only together with the phase; later changes belong to expansion. */
    static Optional<ObjectWrite> bound(PersistentVolumeClaim claim, PersistentVolume volume, Quantity capacity) {
        PersistentVolumeClaim.Status status = claim.status();
        List<FieldChange> changes = new ArrayList<>();
        if (!status.accessModes().equals(volume.spec().accessModes())) {
            changes.add(FieldChange.set(modes(volume.spec().accessModes()), "status", "accessModes"));
        }
        if (status.phase() != ClaimPhase.BOUND) {
            changes.add(FieldChange.set(ClaimPhase.BOUND.apiName(), "status", "phase"));
            @Nullable Quantity had = status.capacity();
            if (had == null || !capacity.equals(had)) {
                changes.add(FieldChange.set(capacity.toString(), "status", "capacity", "storage"));
            }
            String attributes = volume.spec().volumeAttributesClassName();
            if (status.phase() != ClaimPhase.LOST && !attributes.equals(status.currentVolumeAttributesClassName())) {
                changes.add(
                        attributes.isEmpty()
                                ? FieldChange.remove("status", "currentVolumeAttributesClassName")
                                : FieldChange.set(attributes, "status", "currentVolumeAttributesClassName"));
            }
        }
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.ofStatus(claim, changes));
    }

    /** The phase of a claim without a volume. Removes the fields that a volume set. */
    static Optional<ObjectWrite> phase(PersistentVolumeClaim claim, ClaimPhase phase) {
        PersistentVolumeClaim.Status status = claim.status();
        List<FieldChange> changes = new ArrayList<>();
        if (status.phase() != phase) {
            changes.add(FieldChange.set(phase.apiName(), "status", "phase"));
        }
        if (!status.accessModes().isEmpty()) {
            changes.add(FieldChange.remove("status", "accessModes"));
        }
        if (status.capacity() != null) {
            changes.add(FieldChange.remove("status", "capacity"));
        }
        if (phase == ClaimPhase.PENDING && status.phase() == ClaimPhase.LOST) {
            changes.addAll(LostTraces.removed(claim));
        }
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.ofStatus(claim, changes));
    }

    static ObjectWrite giveClass(PersistentVolumeClaim claim, String className) {
        return ObjectWrite.of(claim, List.of(FieldChange.set(className, "spec", "storageClassName")));
    }

    /** Writes the name of the provisioner. External provisioners also look for it. */
    static Optional<ObjectWrite> nameProvisioner(PersistentVolumeClaim claim, String provisioner) {
        List<FieldChange> changes = new ArrayList<>();
        nameProvisioner(claim, provisioner, changes);
        return write(claim, changes);
    }

    /**
     * Writes the provisioning intent, and the finalizer that keeps the claim while the intent is open. API servers accept no new
     * finalizer for a claim that is being deleted: without the other finalizers that keep it, the store's last state of the claim
     * is the record.
     */
    static ObjectWrite intend(PersistentVolumeClaim claim, ProvisioningIntent intent) {
        List<FieldChange> changes = new ArrayList<>();
        nameProvisioner(claim, intent.plugin(), changes);
        changes.add(VolumeWrites.annotate(Annotation.PROVISIONING_INTENT, intent.text()));
        List<String> finalizers = new ArrayList<>(claim.metadata().finalizers());
        if (!finalizers.contains(Annotation.PROVISIONING_FINALIZER)
                && !claim.metadata().deleting()) {
            finalizers.add(Annotation.PROVISIONING_FINALIZER);
            changes.add(FieldChange.set(finalizers, "metadata", "finalizers"));
        }
        return ObjectWrite.of(claim, changes);
    }

    static Optional<ObjectWrite> dropIntent(PersistentVolumeClaim claim) {
        List<FieldChange> changes = new ArrayList<>();
        dropIntent(claim, changes);
        return write(claim, changes);
    }

    /** Returns the claim to the scheduler. Also removes an intent that left no storage. */
    static Optional<ObjectWrite> dropSelectedNode(PersistentVolumeClaim claim) {
        List<FieldChange> changes = new ArrayList<>();
        if (claim.metadata().annotations().containsKey(WellKnown.SELECTED_NODE)) {
            changes.add(FieldChange.remove("metadata", "annotations", WellKnown.SELECTED_NODE));
        }
        dropIntent(claim, changes);
        return write(claim, changes);
    }

    private static void nameProvisioner(PersistentVolumeClaim claim, String provisioner, List<FieldChange> changes) {
        for (String key : List.of(WellKnown.STORAGE_PROVISIONER, WellKnown.BETA_STORAGE_PROVISIONER)) {
            if (!claim.metadata().annotation(key).equals(provisioner)) {
                changes.add(VolumeWrites.annotate(key, provisioner));
            }
        }
    }

    private static void dropIntent(PersistentVolumeClaim claim, List<FieldChange> changes) {
        if (claim.metadata().annotations().containsKey(Annotation.PROVISIONING_INTENT)) {
            changes.add(FieldChange.remove("metadata", "annotations", Annotation.PROVISIONING_INTENT));
        }
        if (claim.metadata().finalizers().contains(Annotation.PROVISIONING_FINALIZER)) {
            List<String> finalizers = new ArrayList<>(claim.metadata().finalizers());
            finalizers.remove(Annotation.PROVISIONING_FINALIZER);
            changes.add(FieldChange.set(finalizers, "metadata", "finalizers"));
        }
    }

    private static List<String> modes(List<AccessMode> modes) {
        return modes.stream().map(AccessMode::apiName).toList();
    }

    private static Optional<ObjectWrite> write(PersistentVolumeClaim claim, List<FieldChange> changes) {
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.of(claim, changes));
    }
}
