package io.volume4j.core.volumes;

import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a pod was promised at a node. Immutable; holds until it is given back, the pod has a node, or the pod is gone.
 *
 * @param claims that get their volume with the node; those that had one are not in it
 * @since 0.1.0
 */
public record VolumeReservation(ObjectKey pod, String podUid, String node, List<Claim> claims) {
    public VolumeReservation {
        claims = Collections.unmodifiableList(new ArrayList<>(claims));
    }

    /**
     * One of them.
     *
     * @param volume an available volume, {@code ""} if one is made
     */
    public record Claim(ObjectKey claim, String claimUid, String volume) {}
}
