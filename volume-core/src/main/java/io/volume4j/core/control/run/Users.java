package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.VolumeUse;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which nodes have which volumes, read from the store at one time. Immutable once made. */
final class Users {
    private final long begun;
    private final Map<String, Set<String>> byVolume = new HashMap<>();
    private final Map<String, Set<String>> byReport = new HashMap<>();

    /**
     * @param begun loop time before the reading began
     */
    Users(long begun, List<ApiObject> objects) {
        this.begun = begun;
        for (ApiObject object : objects) {
            if (object instanceof VolumeAttachment attachment) {
                add(
                        byVolume,
                        attachment.spec().persistentVolumeName(),
                        attachment.spec().nodeName());
            } else if (object instanceof Node node) {
                VolumeUse.reported(node)
                        .forEach(id -> add(byReport, id, node.metadata().name()));
            }
        }
    }

    /** The nodes that have or may have the volume, by name; see {@link VolumeUse#nodes}. */
    List<String> of(String volumeName, @Nullable VolumeId id) {
        Set<String> nodes = new TreeSet<>(byVolume.getOrDefault(volumeName, Set.of()));
        if (id != null) {
            nodes.addAll(byReport.getOrDefault(id.toString(), Set.of()));
        }
        return new ArrayList<>(nodes);
    }

    long begun() {
        return begun;
    }

    private static void add(Map<String, Set<String>> map, String key, String node) {
        map.computeIfAbsent(key, k -> new TreeSet<>()).add(node);
    }
}
