package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.WriteTime;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes to volumes. Each is empty if it would change nothing. */
final class VolumeWrites {
    private VolumeWrites() {}

    /** Write 1 of a binding: sets the volume's claim. This write arbitrates between claims and between controllers. */
    static Optional<ObjectWrite> reserve(PersistentVolume volume, PersistentVolumeClaim claim) {
        List<FieldChange> changes = new ArrayList<>();
        if (!ClaimReference.isBoundTo(volume, claim)) {
            refer(ObjectReference.to(claim), changes);
        }
        if (!ClaimReference.isFor(volume, claim) && !Annotation.boundByController(volume)) {
            changes.add(annotate(WellKnown.BOUND_BY_CONTROLLER, Annotation.YES));
        }
        return write(volume, changes);
    }

    /** The phase with the time of its last change, and the reason for users. Also written when only the reason changed. */
    static Optional<ObjectWrite> phase(PersistentVolume volume, VolumePhase phase, String reason, String message) {
        PersistentVolume.Status status = volume.status();
        List<FieldChange> changes = new ArrayList<>();
        if (status.phase() != phase) {
            changes.add(FieldChange.set(phase.apiName(), "status", "phase"));
            changes.add(FieldChange.set(WriteTime.NOW, "status", "lastPhaseTransitionTime"));
        }
        text(changes, status.reason(), reason, "reason");
        text(changes, status.message(), message, "message");
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.ofStatus(volume, changes));
    }

    static Optional<ObjectWrite> phase(PersistentVolume volume, VolumePhase phase) {
        return phase(volume, phase, "", "");
    }

    /** Makes the volume free. If a user reserved it by name, it stays reserved by name. */
    static Optional<ObjectWrite> unbind(PersistentVolume volume) {
        List<FieldChange> changes = new ArrayList<>();
        if (Annotation.boundByController(volume)) {
            changes.add(FieldChange.remove("spec", "claimRef"));
            changes.add(FieldChange.remove("metadata", "annotations", WellKnown.BOUND_BY_CONTROLLER));
        } else if (!ClaimReference.uid(volume).isEmpty()) {
            changes.add(FieldChange.remove("spec", "claimRef", "uid"));
            changes.add(FieldChange.remove("spec", "claimRef", "resourceVersion"));
        }
        dropReclaimIntent(volume, changes);
        return write(volume, changes);
    }

    /** Names the driver that handles the volume now, for programs that cannot translate its source. */
    static Optional<ObjectWrite> migratedTo(PersistentVolume volume, String to) {
        return Optional.of(to)
                .filter(driver -> !driver.isEmpty()
                        && !volume.metadata().annotation(WellKnown.MIGRATED_TO).equals(driver))
                .map(driver -> ObjectWrite.of(volume, List.of(annotate(WellKnown.MIGRATED_TO, driver))));
    }

    static ObjectWrite intend(PersistentVolume volume, ReclaimIntent intent) {
        return ObjectWrite.of(volume, List.of(annotate(Annotation.RECLAIM_INTENT, intent.text())));
    }

    static Optional<ObjectWrite> dropIntent(PersistentVolume volume) {
        List<FieldChange> changes = new ArrayList<>();
        dropReclaimIntent(volume, changes);
        return write(volume, changes);
    }

    /** Whether the finalizer, or its predecessor, keeps the volume. */
    static boolean kept(PersistentVolume volume) {
        List<String> all = volume.metadata().finalizers();
        return all.contains(Annotation.EXTERNAL_FINALIZER) || all.contains(Annotation.RECLAIM_FINALIZER);
    }

    /** Sets the finalizer, in place of its predecessor. */
    static Optional<ObjectWrite> keep(PersistentVolume volume) {
        List<String> all = new ArrayList<>(volume.metadata().finalizers());
        boolean replaced = all.remove(Annotation.RECLAIM_FINALIZER);
        if (!all.contains(Annotation.EXTERNAL_FINALIZER)) {
            all.add(Annotation.EXTERNAL_FINALIZER);
        } else if (!replaced) {
            return Optional.empty();
        }
        return write(volume, new ArrayList<>(List.of(FieldChange.set(all, "metadata", "finalizers"))));
    }

    static Optional<ObjectWrite> dropFinalizers(PersistentVolume volume, List<String> finalizers) {
        List<String> rest = new ArrayList<>(volume.metadata().finalizers());
        return rest.removeAll(finalizers)
                ? write(volume, new ArrayList<>(List.of(FieldChange.set(rest, "metadata", "finalizers"))))
                : Optional.empty();
    }

    static FieldChange annotate(String key, String value) {
        return FieldChange.set(value, "metadata", "annotations", key);
    }

    /**
     * Sets the reference field by field. An adapter that sends merge patches would have to read the stored volume before it could replace
     * the reference as a whole, so each binding would be one more request.
     */
    private static void refer(ObjectReference reference, List<FieldChange> changes) {
        changes.add(FieldChange.set(reference.apiVersion(), "spec", "claimRef", "apiVersion"));
        changes.add(FieldChange.set(reference.kind(), "spec", "claimRef", "kind"));
        changes.add(FieldChange.set(reference.namespace(), "spec", "claimRef", "namespace"));
        changes.add(FieldChange.set(reference.name(), "spec", "claimRef", "name"));
        changes.add(FieldChange.set(reference.uid(), "spec", "claimRef", "uid"));
        changes.add(FieldChange.set(reference.resourceVersion(), "spec", "claimRef", "resourceVersion"));
    }

    private static void dropReclaimIntent(PersistentVolume volume, List<FieldChange> changes) {
        if (volume.metadata().annotations().containsKey(Annotation.RECLAIM_INTENT)) {
            changes.add(FieldChange.remove("metadata", "annotations", Annotation.RECLAIM_INTENT));
        }
    }

    private static void text(List<FieldChange> changes, String stored, String wanted, String field) {
        if (!stored.equals(wanted)) {
            changes.add(
                    wanted.isEmpty() ? FieldChange.remove("status", field) : FieldChange.set(wanted, "status", field));
        }
    }

    private static Optional<ObjectWrite> write(ApiObject object, List<FieldChange> changes) {
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.of(object, changes));
    }
}
