package io.volume4j.core.control.binding;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The volumes that name a claim, by that claim. A reservation is found here whatever class, modes or phase the volume
 * has, before any other volume is looked at: it beats every other match. Loop thread only.
 */
public final class Reservations {
    private static final Comparator<PersistentVolume> BEST = Comparator.comparing(
                    (PersistentVolume volume) -> ClaimReference.uid(volume).isEmpty())
            .thenComparing(
                    volume -> Integer.bitCount(ClaimNeeds.modeBits(volume.spec().accessModes())))
            .thenComparing(Fit::bytes)
            .thenComparing(volume -> volume.metadata().name());

    private final Map<ObjectKey, Map<String, PersistentVolume>> byClaim = new HashMap<>();

    /** Takes over a change of a volume. */
    public void changed(@Nullable PersistentVolume before, @Nullable PersistentVolume after) {
        if (before != null) {
            ClaimReference.key(before)
                    .ifPresent(claim -> byClaim.computeIfPresent(claim, (key, volumes) -> {
                        volumes.remove(before.metadata().name());
                        return volumes.isEmpty() ? null : volumes;
                    }));
        }
        if (after != null) {
            ClaimReference.key(after)
                    .ifPresent(claim -> byClaim.computeIfAbsent(claim, key -> new LinkedHashMap<>())
                            .put(after.metadata().name(), after));
        }
    }

    /** All volumes that name a claim of this name, whatever its UID. */
    public Collection<PersistentVolume> naming(ObjectKey claim) {
        return byClaim.getOrDefault(claim, Map.of()).values();
    }

    /**
     * The volume that is reserved for the claim and can be its volume: one with its UID before one with its name only,
     * then as among available volumes.
     */
    public Optional<PersistentVolume> best(PersistentVolumeClaim claim, ClaimNeeds needs) {
        return naming(claim.key()).stream()
                .filter(volume -> ClaimReference.isFor(volume, claim))
                .filter(volume -> Fit.refusalOfReserved(needs, volume).isEmpty())
                .min(BEST);
    }
}
