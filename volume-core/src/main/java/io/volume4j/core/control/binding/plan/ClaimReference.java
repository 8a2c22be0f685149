package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import org.jspecify.annotations.Nullable;

/** Whose a volume is, by its {@code claimRef}. */
final class ClaimReference {
    private ClaimReference() {}

    /** The UID of the claim that the volume is bound to, {@code ""} if it is reserved by name only or free. */
    static String uid(PersistentVolume volume) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference == null ? "" : reference.uid();
    }

    static boolean unclaimed(PersistentVolume volume) {
        return volume.spec().claimRef() == null;
    }

    /** Bound to this very claim, or reserved for a claim of its name. */
    static boolean isFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference != null
                && reference.name().equals(claim.metadata().name())
                && reference.namespace().equals(claim.metadata().namespace())
                && (reference.uid().isEmpty()
                        || reference.uid().equals(claim.metadata().uid()));
    }

    /** Bound to this very claim, and of the name that only a volume has that was made for it. */
    static boolean wasMadeFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        return isBoundTo(volume, claim) && volume.metadata().name().equals(ProvisioningIntent.volumeNameFor(claim));
    }

    /** Bound to this very claim. */
    static boolean isBoundTo(PersistentVolume volume, PersistentVolumeClaim claim) {
        return isFor(volume, claim) && !uid(volume).isEmpty();
    }
}
