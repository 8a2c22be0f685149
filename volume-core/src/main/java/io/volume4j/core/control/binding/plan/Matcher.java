package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.binding.match.AvailableVolumes;
import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Optional;

/**
 * Finds the volume for a claim: a reserved volume before all others. A reserved volume counts even if the claim's node cannot reach
 * it, because a driver may make a volume elsewhere than preferred. Only when the claim is bound does a scheduler see where the volume
 * is, and choose another node. Loop thread only.
 */
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
            return Match.of(reserved.get());
        }
        return reservedOnly
                ? Match.none()
                : available.best(needs).map(Match::of).orElse(Match.none());
    }
}
