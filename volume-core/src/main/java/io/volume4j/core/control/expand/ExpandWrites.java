package io.volume4j.core.control.expand;

import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.facts.ClaimConditions;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes to a claim and its volume during an expansion. Each is empty if it would change nothing. */
final class ExpandWrites {
    private static final String STORAGE = "storage";
    private static final List<String> SIZE = List.of("spec", "capacity", STORAGE);
    private static final List<String> HAS = List.of("status", "capacity", STORAGE);
    private static final List<String> ALLOCATED = List.of("status", "allocatedResources", STORAGE);
    private static final List<String> STATUS = List.of("status", "allocatedResourceStatuses", STORAGE);
    private static final List<String> PRE_RESIZE = List.of("metadata", "annotations", WellKnown.PRE_RESIZE_CAPACITY);

    private ExpandWrites() {}

    static @Nullable Quantity allocated(PersistentVolumeClaim claim) {
        return claim.status().allocatedResources().get(STORAGE);
    }

    /**
     * Write 1: the target size, the state, and the leader's epoch.
     *
     * @param doubt whether an earlier call may have had its effect
     */
    static Optional<ObjectWrite> begun(PersistentVolumeClaim claim, Quantity target, long epoch, boolean doubt) {
        List<FieldChange> changes = new ArrayList<>();
        if (!target.equals(allocated(claim))) {
            changes.add(new FieldChange(ALLOCATED, target.toString()));
        }
        status(claim, ResizeStatus.CONTROLLER_IN_PROGRESS, changes);
        ExpandPlanner.CONDITIONS
                .only(claim, "Resizing", ClaimConditions.reason(epoch), ClaimConditions.message("", doubt))
                .ifPresent(changes::add);
        return status(claim, changes);
    }

    static Optional<ObjectWrite> infeasible(PersistentVolumeClaim claim, String why, boolean doubt) {
        List<FieldChange> changes = new ArrayList<>();
        status(claim, ResizeStatus.CONTROLLER_INFEASIBLE, changes);
        ExpandPlanner.CONDITIONS
                .only(claim, "ControllerResizeError", "", ClaimConditions.message(why, doubt))
                .ifPresent(changes::add);
        return status(claim, changes);
    }

    /** Writes 3 and 4 if the nodes must expand too: the volume gets its new size, and the claim the state "nodes pending". */
    static List<ObjectWrite> nodesTurn(
            PersistentVolumeClaim claim, PersistentVolume volume, Quantity size, Quantity had) {
        List<ObjectWrite> writes = new ArrayList<>(2);
        List<FieldChange> ofVolume = new ArrayList<>();
        size(volume, size, ofVolume);
        if (!ExpandPlanner.leftOver(volume)) {
            ofVolume.add(new FieldChange(PRE_RESIZE, had.toString()));
        }
        write(volume, ofVolume).ifPresent(writes::add);
        List<FieldChange> ofClaim = new ArrayList<>();
        @Nullable Quantity allocated = allocated(claim);
        if (allocated == null || allocated.compareTo(size) != 0) {
            ofClaim.add(new FieldChange(ALLOCATED, size.toString()));
        }
        status(claim, ResizeStatus.NODE_PENDING, ofClaim);
        ExpandPlanner.CONDITIONS
                .only(claim, "FileSystemResizePending", "", "waiting for a node to expand the filesystem")
                .ifPresent(ofClaim::add);
        status(claim, ofClaim).ifPresent(writes::add);
        return writes;
    }

    /** Writes 3 and 4 if no node must expand: the expansion is complete. */
    static List<ObjectWrite> finished(PersistentVolumeClaim claim, PersistentVolume volume, Quantity size) {
        List<ObjectWrite> writes = new ArrayList<>(2);
        List<FieldChange> ofVolume = new ArrayList<>();
        size(volume, size, ofVolume);
        if (ExpandPlanner.leftOver(volume)) {
            ofVolume.add(new FieldChange(PRE_RESIZE, null));
        }
        write(volume, ofVolume).ifPresent(writes::add);
        List<FieldChange> ofClaim = new ArrayList<>();
        @Nullable Quantity has = claim.status().capacity();
        if (has == null || has.compareTo(size) < 0) {
            ofClaim.add(new FieldChange(HAS, size.toString()));
        }
        over(claim, ofClaim);
        status(claim, ofClaim).ifPresent(writes::add);
        return writes;
    }

    /** Removes the remaining fields after claim and volume have the same size. */
    static List<ObjectWrite> closed(PersistentVolumeClaim claim, PersistentVolume volume) {
        List<ObjectWrite> writes = new ArrayList<>(2);
        if (ExpandPlanner.leftOver(volume)) {
            writes.add(ObjectWrite.of(volume, List.of(new FieldChange(PRE_RESIZE, null))));
        }
        List<FieldChange> ofClaim = new ArrayList<>();
        over(claim, ofClaim);
        status(claim, ofClaim).ifPresent(writes::add);
        return writes;
    }

    private static void over(PersistentVolumeClaim claim, List<FieldChange> changes) {
        if (allocated(claim) != null) {
            changes.add(new FieldChange(ALLOCATED, null));
        }
        status(claim, ResizeStatus.NONE, changes);
        ExpandPlanner.CONDITIONS.none(claim).ifPresent(changes::add);
    }

    /** The size in a volume's object never decreases. */
    private static void size(PersistentVolume volume, Quantity size, List<FieldChange> changes) {
        @Nullable Quantity says = volume.spec().capacity();
        if (says == null || says.compareTo(size) < 0) {
            changes.add(new FieldChange(SIZE, size.toString()));
        }
    }

    private static void status(PersistentVolumeClaim claim, ResizeStatus wanted, List<FieldChange> changes) {
        if (ResizeStatus.of(claim) != wanted) {
            changes.add(new FieldChange(STATUS, wanted == ResizeStatus.NONE ? null : wanted.word()));
        }
    }

    private static Optional<ObjectWrite> write(PersistentVolume volume, List<FieldChange> changes) {
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.of(volume, changes));
    }

    private static Optional<ObjectWrite> status(PersistentVolumeClaim claim, List<FieldChange> changes) {
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.ofStatus(claim, changes));
    }
}
