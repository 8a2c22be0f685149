package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import org.jspecify.annotations.Nullable;

/** The claim of a volume, from its {@code claimRef}. */
final class ClaimReference {
    private ClaimReference() {}

    /** The UID of the claim to which the volume is bound, {@code ""} if it is free or reserved by name only. */
    static String uid(PersistentVolume volume) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference == null ? "" : reference.uid();
    }

    static boolean unclaimed(PersistentVolume volume) {
        return volume.spec().claimRef() == null;
    }

    /** Bound to exactly this claim, or reserved for a claim with its name. */
    static boolean isFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference != null
                && reference.name().equals(claim.metadata().name())
                && reference.namespace().equals(claim.metadata().namespace())
                && (reference.uid().isEmpty()
                        || reference.uid().equals(claim.metadata().uid()));
    }

    /** Bound to exactly this claim, and with the name that only a volume provisioned for it has. */
    static boolean wasMadeFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        return isBoundTo(volume, claim) && volume.metadata().name().equals(ProvisioningIntent.volumeNameFor(claim));
    }

    /** Bound to exactly this claim. */
    static boolean isBoundTo(PersistentVolume volume, PersistentVolumeClaim claim) {
        return isFor(volume, claim) && !uid(volume).isEmpty();
    }
}
