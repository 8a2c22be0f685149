package io.volume4j.core.node.view;

import io.volume4j.core.node.actual.ActualStateOfWorld;
import io.volume4j.core.node.actual.ActualVolume;
import io.volume4j.core.node.desired.ClaimReads;
import io.volume4j.core.node.desired.DesiredStateOfWorld;
import io.volume4j.core.node.desired.DesiredVolume;
import io.volume4j.core.node.desired.PodResolver;
import io.volume4j.core.node.desired.ResolvedPod.Problem;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.PersistentVolumeClaim;
import org.jspecify.annotations.Nullable;

/**
 * Knows which claim a pod means: the one that the store had when it was asked for this pod. What the pod has here or was
 * given already stands: after a restart nothing is read for mounts that are there. Loop thread only.
 */
public final class MeantClaims implements PodResolver.ClaimOfPod {
    private final DesiredStateOfWorld desired;
    private final ActualStateOfWorld actual;
    private final ClaimReads reads;

    public MeantClaims(DesiredStateOfWorld desired, ActualStateOfWorld actual, ClaimReads reads) {
        this.desired = desired;
        this.actual = actual;
        this.reads = reads;
    }

    @Override
    public @Nullable Problem doubt(String podUid, PersistentVolumeClaim claim, VolumeId volume) {
        if (given(podUid, volume) || reads.confirmed(podUid, claim)) {
            return null;
        }
        String shown = "claim " + claim.key().namespace() + "/" + claim.key().name();
        String trouble = reads.trouble(podUid, claim.key());
        return new Problem(
                trouble.isEmpty()
                        ? shown + " is being read from the cluster for this pod"
                        : shown + " could not be read from the cluster for this pod: " + trouble
                                + "; it is read again after a pause",
                false,
                claim.key());
    }

    private boolean given(String podUid, VolumeId volume) {
        ActualVolume present = actual.volume(volume);
        if (present != null && present.mount(podUid) != null) {
            return true;
        }
        DesiredVolume wanted = desired.volume(volume);
        return wanted != null && wanted.use(podUid) != null;
    }
}
