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
 * The volumes that are reserved for a claim. A reservation is found here whatever class, modes or phase the volume
 * has, before any other volume is looked at: it beats every other match. Loop thread only.
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

    /** @param volumes by the claims that they name, kept up to date by the caller */
    public Reservations(VolumesByClaim volumes) {
        this.volumes = volumes;
    }

    /**
     * What was made for the claim is its volume, though it may ask for something else since, or a user may have asked for the
     * volume's end: both could as well have come after the binding, and no other claim will have it.
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
     * The volume that is reserved for the claim and can be its volume: one with its UID before one with its name only,
     * then as among available volumes.
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
