package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.core.control.binding.match.Fit;
import io.volume4j.core.control.host.facts.VolumesByClaim;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Finds the volumes that are reserved for a claim, before any other volume. The volume's class, modes and phase do not matter: a
 * reservation has precedence over every other match. Loop thread only.
 */
public final class Reservations {
    private static final Comparator<PersistentVolume> BEST = Comparator.comparing(
                    (PersistentVolume volume) -> ClaimReference.uid(volume).isEmpty())
            .thenComparing(
                    volume -> Integer.bitCount(ClaimNeeds.modeBits(volume.spec().accessModes())))
            .thenComparing(volume -> ClaimNeeds.modeBits(volume.spec().accessModes()))
            .thenComparing(Fit::bytes)
            .thenComparing(volume -> volume.metadata().name());

    private final VolumesByClaim volumes;

    /** @param volumes by their claims; the caller keeps it up to date */
    public Reservations(VolumesByClaim volumes) {
        this.volumes = volumes;
    }

    /**
     * A volume that was provisioned for the claim stays its volume, even if the claim has other requirements since, or a user has
     * deleted the volume. Both could also have happened after the binding, and no other claim will get the volume.
     */
    private static Optional<String> refusal(PersistentVolumeClaim claim, ClaimNeeds needs, PersistentVolume volume) {
        if (ReclaimIntent.deletes(volume)) {
            return Optional.of("its storage may be being deleted");
        }
        return ClaimReference.wasMadeFor(volume, claim)
                ? Fit.refusalOfMade(needs, volume)
                : Fit.refusalOfReserved(needs, volume);
    }

    /**
     * The volume that is reserved for the claim and fits: a reservation by UID before one by name only, then the same order as
     * among available volumes.
     */
    public Optional<PersistentVolume> best(PersistentVolumeClaim claim, ClaimNeeds needs) {
        Collection<PersistentVolume> naming = volumes.naming(claim.key());
        if (naming.isEmpty()) {
            return Optional.empty();
        }
        return naming.stream()
                .filter(volume -> ClaimReference.isFor(volume, claim))
                .filter(volume -> refusal(claim, needs, volume).isEmpty())
                .min(BEST);
    }
}
