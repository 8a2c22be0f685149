package io.volume4j.core.node.desired;

import io.volume4j.core.node.desired.ClaimReads.Use;
import io.volume4j.core.tables.DenseIndex;
import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The claims that pods use, and the PersistentVolumes that these claims name. Loop thread only. */
final class ClaimIndex {
    private final DenseIndex<ObjectKey, String> podsByClaim = new DenseIndex<>();
    private final DenseIndex<ObjectKey, Use> usesByVolume = new DenseIndex<>();
    /** The names of the PersistentVolumes by pod and claim, {@code ""} for claims without one. */
    private final Map<String, Map<ObjectKey, String>> claimsByPod = new DenseMap<>();

    /** Sets the pod's claims. Replaces earlier ones. */
    void put(String podUid, Map<ObjectKey, String> volumesByClaim) {
        remove(podUid);
        if (volumesByClaim.isEmpty()) {
            return;
        }
        claimsByPod.put(podUid, new DenseMap<>(volumesByClaim));
        volumesByClaim.forEach((claim, volume) -> {
            podsByClaim.add(claim, podUid);
            if (!volume.isEmpty()) {
                usesByVolume.add(ObjectKey.volume(volume), new Use(podUid, claim));
            }
        });
    }

    /** The claim, which the pod uses, now names that PersistentVolume. */
    void names(String podUid, ObjectKey claim, String volume) {
        Map<ObjectKey, String> claims = claimsByPod.get(podUid);
        String before = claims == null ? null : claims.get(claim);
        if (claims == null || before == null || before.equals(volume)) {
            return;
        }
        Use use = new Use(podUid, claim);
        if (!before.isEmpty()) {
            usesByVolume.remove(ObjectKey.volume(before), use);
        }
        if (!volume.isEmpty()) {
            usesByVolume.add(ObjectKey.volume(volume), use);
        }
        claims.put(claim, volume);
    }

    void remove(String podUid) {
        Map<ObjectKey, String> claims = claimsByPod.remove(podUid);
        if (claims == null) {
            return;
        }
        claims.forEach((claim, volume) -> {
            podsByClaim.remove(claim, podUid);
            if (!volume.isEmpty()) {
                usesByVolume.remove(ObjectKey.volume(volume), new Use(podUid, claim));
            }
        });
    }

    /** The uses of a claim, or of the claims that name a PersistentVolume; a copy. */
    List<Use> usesOf(ObjectKey object) {
        List<Use> uses = new ArrayList<>(usesByVolume.get(object));
        podsByClaim.get(object).forEach(podUid -> uses.add(new Use(podUid, object)));
        return uses;
    }
}
