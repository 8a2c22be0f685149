package io.volume4j.core.volumes;

import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The volumes that are reserved for a pod on a node. Immutable. The reservation ends when the scheduler releases it,
 * when the pod has a node, or when the pod is deleted.
 *
 * @param claims the claims that get their volume together with the node; not those that already have a volume
 * @since 0.1.0
 */
public record VolumeReservation(ObjectKey pod, String podUid, String node, List<Claim> claims) {
    public VolumeReservation {
        claims = Collections.unmodifiableList(new ArrayList<>(claims));
    }

    /**
     * One reserved claim.
     * @param volume an available volume, {@code ""} if a volume will be provisioned
     */
    public record Claim(ObjectKey claim, String claimUid, String volume) {}
}
