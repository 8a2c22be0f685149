package io.volume4j.core.node.view;

import io.volume4j.core.node.Growth;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes how a claim's status must change to show its volume's size. Pure, so that a restart and a second try have
 * the same result.
 */
final class ClaimSize {
    private static final List<String> STATUS = List.of("status", "allocatedResourceStatuses", "storage");
    private static final List<String> ALLOCATED = List.of("status", "allocatedResources", "storage");
    private static final List<String> CONDITIONS = List.of("status", "conditions");
    /** The conditions that the node removes after an expansion. */
    private static final List<String> OF_EXPANSIONS =
            List.of("Resizing", "FileSystemResizePending", "ControllerResizeError", "NodeResizeError");

    private ClaimSize() {}

    /**
     * The changes, none if the status is up to date.
     *
     * @param target the target size of the volume
     */
    static List<FieldChange> changes(PersistentVolumeClaim claim, Growth growth, long target) {
        ResizeStatus status = ResizeStatus.of(claim);
        if (growth.bytes() > 0 && growth.bytes() >= target && growth.target() == 0) {
            return grown(claim, growth, status);
        }
        if (growth.refused() == target && status == ResizeStatus.NODE_IN_PROGRESS) {
            return refused(claim, growth);
        }
        boolean due = growth.target() > 0 || (growth.bytes() > 0 && growth.bytes() < target);
        return status == ResizeStatus.NODE_PENDING && due
                ? List.of(new FieldChange(STATUS, ResizeStatus.NODE_IN_PROGRESS.word()))
                : List.of();
    }

    private static List<FieldChange> grown(PersistentVolumeClaim claim, Growth growth, ResizeStatus status) {
        Quantity told = claim.status().capacity();
        List<FieldChange> changes = new ArrayList<>();
        if (told == null || told.bytes() < growth.bytes()) {
            changes.add(FieldChange.set(Quantity.ofBytes(growth.bytes()).toString(), "status", "capacity", "storage"));
        }
        if (status.nodes() && owes(claim, growth)) {
            // The control plane has expanded the volume further than this node knows: the node's part is still to
            // come.
            return changes;
        }
        if (status.nodes()) {
            changes.add(new FieldChange(STATUS, null));
            if (claim.status().allocatedResources().containsKey("storage")) {
                changes.add(new FieldChange(ALLOCATED, null));
            }
        }
        List<Object> all = conditions(claim);
        List<Object> others = withoutExpansion(all);
        if (!changes.isEmpty() && others.size() < all.size()) {
            changes.add(new FieldChange(CONDITIONS, others));
        }
        return changes;
    }

    private static boolean owes(PersistentVolumeClaim claim, Growth growth) {
        @Nullable Quantity allocated = claim.status().allocatedResources().get("storage");
        return allocated != null && allocated.bytes() > growth.bytes();
    }

    private static List<FieldChange> refused(PersistentVolumeClaim claim, Growth growth) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", "NodeResizeError");
        condition.put("status", "True");
        condition.put("message", growth.why());
        List<Object> conditions = new ArrayList<>(withoutExpansion(conditions(claim)));
        conditions.add(condition);
        return List.of(
                new FieldChange(STATUS, ResizeStatus.NODE_INFEASIBLE.word()), new FieldChange(CONDITIONS, conditions));
    }

    private static List<Object> conditions(PersistentVolumeClaim claim) {
        @Nullable Object status = claim.unmodeled().document().get("status");
        @Nullable Object found = status instanceof Map<?, ?> fields ? fields.get("conditions") : null;
        return found instanceof List<?> list ? new ArrayList<>(list) : List.of();
    }

    private static List<Object> withoutExpansion(List<Object> conditions) {
        List<Object> left = new ArrayList<>(conditions);
        left.removeIf(condition ->
                condition instanceof Map<?, ?> fields && OF_EXPANSIONS.contains(String.valueOf(fields.get("type"))));
        return left;
    }
}
