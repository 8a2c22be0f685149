package io.volume4j.core.control.attach;

import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod wants attached to its node.
 *
 * @param volumes by the pod's order; {@code names} are the pod's own names for them
 * @param claims that decide about its volumes
 */
record PodState(
        String uid, ObjectKey key, String node, List<String> names, List<VolumeId> volumes, List<ObjectKey> claims) {
    /** What the pod's volume of that name was found to be, null if it never was. */
    @Nullable
    VolumeId volumeOf(String name) {
        int index = names.indexOf(name);
        return index < 0 ? null : volumes.get(index);
    }
}
