package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.ResolvedPod.ResolvedVolume;
import org.jspecify.annotations.Nullable;

/** Which pods cannot share a volume because it is mounted with one SELinux context. Reads the desired state of world only. */
public record SeLinuxConflicts(DesiredStateOfWorld desired) {
    /** Whether the pod wants the volume with another context than one of the other pods. */
    public boolean differ(DesiredVolume wanted, String podUid) {
        ResolvedVolume volume = wanted.volume();
        if (!volume.labelled()) {
            return false;
        }
        String own = of(wanted.use(podUid));
        return wanted.uses().values().stream()
                .anyMatch(other -> !other.podUid().equals(podUid) && !of(other).equals(own));
    }

    private String of(@Nullable ResolvedVolume use) {
        ResolvedPod pod = use == null ? null : desired.pod(use.podUid());
        return use == null || pod == null ? "" : SeLinuxLabel.of(pod.pod(), use.outerName());
    }
}
