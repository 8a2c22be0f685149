package io.volume4j.core.control.host;

import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.VolumeAttachment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The users of volumes, claims and volume attributes classes, as one read of the store found them. Immutable. */
public final class Users {
    private final long begun;
    private final long ended;
    private final Map<String, Set<String>> byVolume = new HashMap<>();
    private final Map<String, Set<String>> byReport = new HashMap<>();
    private final Map<ObjectKey, Set<String>> byClaim = new HashMap<>();
    private final Map<String, Set<String>> byAttributesClass = new HashMap<>();

    /**
     * @param begun loop time before the read began, in nanoseconds
     * @param ended loop time when the read was complete, in nanoseconds
     */
    public Users(long begun, long ended, List<ApiObject> objects) {
        this.begun = begun;
        this.ended = ended;
        for (ApiObject object : objects) {
            if (object instanceof VolumeAttachment attachment) {
                add(
                        byVolume,
                        attachment.spec().persistentVolumeName(),
                        attachment.spec().nodeName());
                if (attachment.spec().inlineSource() instanceof CsiSource csi) {
                    add(
                            byReport,
                            VolumeId.shared(csi.driver(), csi.volumeHandle()).toString(),
                            attachment.spec().nodeName());
                }
            } else if (object instanceof Node node) {
                VolumeUse.reported(node)
                        .forEach(id -> add(byReport, id, node.metadata().name()));
            } else if (object instanceof Pod pod) {
                VolumeUse.kept(pod)
                        .forEach(claim -> add(byClaim, claim, pod.key().toString()));
            } else {
                VolumeUse.attributesClassesOf(object)
                        .forEach(name ->
                                add(byAttributesClass, name, object.key().toString()));
            }
        }
    }

    /** The nodes that have or may have the volume, by name; see {@link VolumeUse#nodes}. */
    public List<String> of(String volumeName, @Nullable VolumeId id) {
        Set<String> nodes = new TreeSet<>(byVolume.getOrDefault(volumeName, Set.of()));
        if (id != null) {
            nodes.addAll(byReport.getOrDefault(id.toString(), Set.of()));
        }
        return new ArrayList<>(nodes);
    }

    /** The pods that keep the claim, or the claims and volumes that keep the volume attributes class. */
    public List<String> of(ObjectKey key) {
        return new ArrayList<>(
                switch (key.kind()) {
                    case PERSISTENT_VOLUME_CLAIM -> byClaim.getOrDefault(key, Set.of());
                    case VOLUME_ATTRIBUTES_CLASS -> byAttributesClass.getOrDefault(key.name(), Set.of());
                    default -> Set.<String>of();
                });
    }

    public long begun() {
        return begun;
    }

    public long ended() {
        return ended;
    }

    private static <K> void add(Map<K, Set<String>> map, K key, String user) {
        map.computeIfAbsent(key, k -> new TreeSet<>()).add(user);
    }
}
