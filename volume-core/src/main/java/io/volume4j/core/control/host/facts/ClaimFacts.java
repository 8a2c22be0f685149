package io.volume4j.core.control.host.facts;

import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.WellKnown;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Facts that several features read from a claim. */
public final class ClaimFacts {
    /** Annotation of a claim: a call that provisions a volume for it may be running. */
    public static final String PROVISIONING_INTENT = "volume4j.io/provisioning-intent";

    /** Annotation of a volume: a call that deletes or empties its storage may be running. */
    public static final String RECLAIM_INTENT = "volume4j.io/reclaim-intent";

    private ClaimFacts() {}

    /** Whether the claim has no volume yet. */
    public static boolean unbound(PersistentVolumeClaim claim) {
        return claim.spec().volumeName().isEmpty()
                && !claim.metadata().annotations().containsKey(WellKnown.BIND_COMPLETED);
    }

    /** Whether a call that provisions a volume for the claim may be running, or its outcome is not stored yet. */
    public static boolean beingProvisioned(PersistentVolumeClaim claim) {
        return claim.metadata().annotations().containsKey(PROVISIONING_INTENT);
    }

    /** Whether the volume refers to the claim with the claim's UID. */
    public static boolean has(PersistentVolumeClaim claim, PersistentVolume volume) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference != null && reference.uid().equals(claim.metadata().uid());
    }

    /**
     * The storage class of the claim. A claim may have no class; no storage class has the empty name.
     *
     * @return empty if the claim names no class, or the cache has no class of that name
     */
    public static Optional<StorageClass> classOf(PersistentVolumeClaim claim, ObjectCache cache) {
        String name = claim.className();
        return name.isEmpty() ? Optional.empty() : cache.get(ObjectKey.storageClass(name), StorageClass.class);
    }

    /**
     * The volume to which the claim refers, if the volume refers to the claim too. Empty if the cache does not have
     * the volume.
     */
    public static Optional<PersistentVolume> volumeOf(PersistentVolumeClaim claim, ObjectCache cache) {
        return cache.get(ObjectKey.volume(claim.spec().volumeName()), PersistentVolume.class)
                .filter(volume -> has(claim, volume));
    }
}
