package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;

/**
 * Finds pods that cannot share a volume because it is mounted with one SELinux context. Only reads the desired state
 * of world.
 */
public record SeLinuxConflicts(DesiredStateOfWorld desired) {
    /** Whether the pod wants the volume with another context than another pod. */
    public boolean differ(DesiredVolume wanted, String podUid) {
        ResolvedVolume own = wanted.use(podUid);
        if (own == null || !desired.labelled(own)) {
            return false;
        }
        String label = desired.label(own);
        return wanted.uses().stream()
                .anyMatch(other ->
                        !other.podUid().equals(podUid) && !desired.label(other).equals(label));
    }
}
