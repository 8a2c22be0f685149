package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Status fields about the lost volume, in a claim that gets a new volume. Without their removal, unfinished changes of size and
 * attributes would apply to the next volume, or would wait forever. A lost claim keeps them, because its volume may come back.
 */
final class LostTraces {
    private static final Set<String> CONDITIONS = Set.of(
            "Resizing",
            "FileSystemResizePending",
            "ControllerResizeError",
            "NodeResizeError",
            "ModifyingVolume",
            "ModifyVolumeError",
            "volume4j.io/VolumeHealthy");

    private LostTraces() {}

    /** The changes that remove them. */
    static List<FieldChange> removed(PersistentVolumeClaim claim) {
        PersistentVolumeClaim.Status told = claim.status();
        List<FieldChange> changes = new ArrayList<>();
        if (!told.allocatedResources().isEmpty()) {
            changes.add(FieldChange.remove("status", "allocatedResources"));
        }
        if (!told.allocatedResourceStatuses().isEmpty()) {
            changes.add(FieldChange.remove("status", "allocatedResourceStatuses"));
        }
        if (!told.currentVolumeAttributesClassName().isEmpty()) {
            changes.add(FieldChange.remove("status", "currentVolumeAttributesClassName"));
        }
        if (claim.unmodeled().document().get("status") instanceof Map<?, ?> status) {
            if (status.containsKey("modifyVolumeStatus")) {
                changes.add(FieldChange.remove("status", "modifyVolumeStatus"));
            }
            if (status.get("conditions") instanceof List<?> conditions) {
                List<@Nullable Object> others = new ArrayList<>(conditions);
                if (others.removeIf(LostTraces::tellsOfTheVolume)) {
                    changes.add(FieldChange.set(others, "status", "conditions"));
                }
            }
        }
        return changes;
    }

    private static boolean tellsOfTheVolume(@Nullable Object condition) {
        return condition instanceof Map<?, ?> fields && CONDITIONS.contains(String.valueOf(fields.get("type")));
    }
}
