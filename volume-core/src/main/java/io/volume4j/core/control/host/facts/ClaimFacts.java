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

/** What several features read from a claim. */
public final class ClaimFacts {
    /** On a claim: a volume may be being made for it. */
    public static final String PROVISIONING_INTENT = "volume4j.io/provisioning-intent";

    /** On a volume: its storage may be being deleted or emptied. */
    public static final String RECLAIM_INTENT = "volume4j.io/reclaim-intent";

    private ClaimFacts() {}

    /** Whether the claim has no volume yet. */
    public static boolean unbound(PersistentVolumeClaim claim) {
        return claim.spec().volumeName().isEmpty()
                && !claim.metadata().annotations().containsKey(WellKnown.BIND_COMPLETED);
    }

    /** Whether a call that makes a volume for the claim may be under way, or its outcome is not stored yet. */
    public static boolean beingProvisioned(PersistentVolumeClaim claim) {
        return claim.metadata().annotations().containsKey(PROVISIONING_INTENT);
    }

    /** Whether the volume names the claim with its UID. */
    public static boolean has(PersistentVolumeClaim claim, PersistentVolume volume) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference != null && reference.uid().equals(claim.metadata().uid());
    }

    /**
     * The storage class of the claim. Claims of no class are claims like others, and nothing has the empty name.
     *
     * @return empty if the claim names none, or none of the name is known
     */
    public static Optional<StorageClass> classOf(PersistentVolumeClaim claim, ObjectCache cache) {
        String name = claim.className();
        return name.isEmpty() ? Optional.empty() : cache.get(ObjectKey.storageClass(name), StorageClass.class);
    }

    /** The volume that the claim names, if the volume names the claim, too; empty if it is not known. */
    public static Optional<PersistentVolume> volumeOf(PersistentVolumeClaim claim, ObjectCache cache) {
        return cache.get(ObjectKey.volume(claim.spec().volumeName()), PersistentVolume.class)
                .filter(volume -> has(claim, volume));
    }
}
