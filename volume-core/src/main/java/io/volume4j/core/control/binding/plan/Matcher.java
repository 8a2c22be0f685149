package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.binding.match.AvailableVolumes;
import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.core.control.binding.match.Fit;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Optional;

/** Finds the volume for a claim: a reserved volume before all others, even if it is not accessible. Loop thread only. */
public final class Matcher {
    private final Reservations reservations;
    private final AvailableVolumes available;

    public Matcher(Reservations reservations, AvailableVolumes available) {
        this.reservations = reservations;
        this.available = available;
    }

    /**
     * The match.
     *
     * @param reservedOnly whether only a reservation counts, because the claim waits for its first consumer or a plugin may be
     *     making a volume for it
     */
    public Match match(PersistentVolumeClaim claim, ClaimNeeds needs, boolean reservedOnly) {
        Optional<PersistentVolume> reserved = reservations.best(claim, needs);
        if (reserved.isPresent()) {
            PersistentVolume volume = reserved.get();
            return Fit.reachable(volume, needs.node()) ? Match.of(volume) : Match.outOfReach(volume);
        }
        return reservedOnly
                ? Match.none()
                : available.best(needs).map(Match::of).orElse(Match.none());
    }
}
