package io.volume4j.core.control.expand;

import io.volume4j.core.control.binding.Annotation;
import io.volume4j.core.control.binding.ObjectWrite;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes to a claim and its volume in the course of an expansion. Each compares first. */
final class ExpandWrites {
    private static final String STORAGE = "storage";
    private static final List<String> SIZE = List.of("spec", "capacity", STORAGE);
    private static final List<String> HAS = List.of("status", "capacity", STORAGE);
    private static final List<String> ALLOCATED = List.of("status", "allocatedResources", STORAGE);
    private static final List<String> STATUS = List.of("status", "allocatedResourceStatuses", STORAGE);
    private static final List<String> CONDITIONS = List.of("status", "conditions");
    private static final List<String> PRE_RESIZE = List.of("metadata", "annotations", Annotation.PRE_RESIZE_CAPACITY);

    /** What an expansion that is over leaves nothing of. */
    private static final List<String> OF_EXPANSIONS =
            List.of("Resizing", "FileSystemResizePending", "ControllerResizeError", "NodeResizeError");

    private ExpandWrites() {}

    static @Nullable Quantity allocated(PersistentVolumeClaim claim) {
        return claim.status().allocatedResources().get(STORAGE);
    }

    /** Write 1: to what size, and whose turn it is. */
    static Optional<ObjectWrite> begun(PersistentVolumeClaim claim, Quantity target) {
        List<FieldChange> changes = new ArrayList<>();
        if (!target.equals(allocated(claim))) {
            changes.add(new FieldChange(ALLOCATED, target.toString()));
        }
        status(claim, ResizeStatus.CONTROLLER_IN_PROGRESS, changes);
        condition(claim, "Resizing", "", changes);
        return status(claim, changes);
    }

    static Optional<ObjectWrite> infeasible(PersistentVolumeClaim claim, String why) {
        List<FieldChange> changes = new ArrayList<>();
        status(claim, ResizeStatus.CONTROLLER_INFEASIBLE, changes);
        condition(claim, "ControllerResizeError", why, changes);
        return status(claim, changes);
    }

    /** Writes 3 and 4 where nodes have to follow: the volume says its new size, and the claim whose turn it is. */
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
        condition(claim, "FileSystemResizePending", "waiting for a node to expand the filesystem", ofClaim);
        status(claim, ofClaim).ifPresent(writes::add);
        return writes;
    }

    /** Writes 3 and 4 where no node has to follow: all is done. */
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

    /** What is left to take away once claim and volume are of one size. */
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
        List<Object> all = conditions(claim);
        List<Object> others = withoutExpansion(all);
        if (others.size() < all.size()) {
            changes.add(new FieldChange(CONDITIONS, others));
        }
    }

    /** A volume never says less than it has. */
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

    /** The one condition that tells how far an expansion is. */
    private static void condition(PersistentVolumeClaim claim, String type, String message, List<FieldChange> changes) {
        Map<String, Object> wanted = new LinkedHashMap<>();
        wanted.put("type", type);
        wanted.put("status", "True");
        if (!message.isEmpty()) {
            wanted.put("message", message);
        }
        List<Object> all = conditions(claim);
        if (!all.contains(wanted) || withoutExpansion(all).size() != all.size() - 1) {
            List<Object> next = withoutExpansion(all);
            next.add(wanted);
            changes.add(new FieldChange(CONDITIONS, next));
        }
    }

    private static List<Object> conditions(PersistentVolumeClaim claim) {
        @Nullable Object status = claim.unmodeled().document().get("status");
        @Nullable Object found = status instanceof Map<?, ?> fields ? fields.get("conditions") : null;
        List<Object> conditions = new ArrayList<>();
        if (found instanceof List<?> list) {
            conditions.addAll(list);
        }
        return conditions;
    }

    private static List<Object> withoutExpansion(List<Object> conditions) {
        List<Object> left = new ArrayList<>(conditions);
        left.removeIf(condition ->
                condition instanceof Map<?, ?> fields && OF_EXPANSIONS.contains(String.valueOf(fields.get("type"))));
        return left;
    }

    private static Optional<ObjectWrite> write(PersistentVolume volume, List<FieldChange> changes) {
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.of(volume, changes));
    }

    private static Optional<ObjectWrite> status(PersistentVolumeClaim claim, List<FieldChange> changes) {
        return changes.isEmpty() ? Optional.empty() : Optional.of(ObjectWrite.ofStatus(claim, changes));
    }
}
