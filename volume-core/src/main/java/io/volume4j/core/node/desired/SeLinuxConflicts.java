package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;

/** Which pods cannot share a volume because it is mounted with one SELinux context. Reads the desired state of world only. */
public record SeLinuxConflicts(DesiredStateOfWorld desired) {
    /** Whether the pod wants the volume with another context than one of the other pods. */
    public boolean differ(DesiredVolume wanted, String podUid) {
        ResolvedVolume volume = wanted.volume();
        if (!volume.labelled()) {
            return false;
        }
        String own = of(podUid);
        return wanted.uses().keySet().stream()
                .anyMatch(other -> !other.equals(podUid) && !of(other).equals(own));
    }

    private String of(String podUid) {
        ResolvedPod pod = desired.pod(podUid);
        return pod == null ? "" : SeLinuxLabel.of(pod.pod());
    }
}
