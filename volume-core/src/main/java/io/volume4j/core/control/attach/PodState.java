package io.volume4j.core.control.attach;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that a pod wants attached to its node.
 *
 * @param volumes in the pod's order; {@code names} are the pod's own names for them
 * @param claims the claims that its volumes depend on
 */
record PodState(
        String uid, ObjectKey key, String node, List<String> names, List<VolumeId> volumes, List<ObjectKey> claims) {
    /** The last known ID of the pod's volume with that name, null for none. */
    @Nullable
    VolumeId volumeOf(String name) {
        int index = names.indexOf(name);
        return index < 0 ? null : volumes.get(index);
    }

    /** A copy with another ID, or none, for the pod's volume with that name. */
    PodState with(Pod pod, String name, @Nullable VolumeId volume) {
        List<String> allNames = new ArrayList<>(names.size() + 1);
        List<VolumeId> allVolumes = new ArrayList<>(names.size() + 1);
        int next = 0;
        for (PodVolume each : pod.spec().volumes()) {
            boolean known = next < names.size() && names.get(next).equals(each.name());
            VolumeId id = each.name().equals(name) ? volume : known ? volumes.get(next) : null;
            if (id != null) {
                allNames.add(each.name());
                allVolumes.add(id);
            }
            next += known ? 1 : 0;
        }
        return new PodState(uid, key, node, List.copyOf(allNames), List.copyOf(allVolumes), claims);
    }
}
