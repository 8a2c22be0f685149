package io.volume4j.core.node.actual;

import io.volume4j.core.node.state.MountRow;
import io.volume4j.core.tables.DenseIndex;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeId;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * An index of the mounts of pods with many volumes, by the pods' names for them. Pods with few mounts need no index:
 * the node reads all their mounts. Loop thread only.
 */
final class MountsByName {
    private static final int MANY = 16;

    private final Map<String, DenseIndex<String, VolumeId>> pods = new DenseMap<>();

    /**
     * The pod got a mount.
     *
     * @param all the volumes of all its mounts
     * @param names the pod's name for each of them
     */
    void added(MountRow mount, Set<VolumeId> all, BiFunction<VolumeId, String, String> names) {
        DenseIndex<String, VolumeId> known = pods.get(mount.podUid());
        if (known != null) {
            known.add(mount.outerName(), mount.id());
        } else if (all.size() > MANY) {
            DenseIndex<String, VolumeId> index = new DenseIndex<>();
            all.forEach(id -> index.add(names.apply(id, mount.podUid()), id));
            pods.put(mount.podUid(), index);
        }
    }

    /** The pod lost a mount. */
    void removed(String podUid, String outerName, VolumeId id) {
        DenseIndex<String, VolumeId> known = pods.get(podUid);
        if (known != null) {
            known.remove(outerName, id);
            if (known.keys().isEmpty()) {
                pods.remove(podUid);
            }
        }
    }

    /** The pod's mounts under that name. For a pod with few mounts: all. */
    Set<VolumeId> of(String podUid, String outerName, Set<VolumeId> all) {
        DenseIndex<String, VolumeId> known = pods.get(podUid);
        return known == null ? all : known.get(outerName);
    }
}
