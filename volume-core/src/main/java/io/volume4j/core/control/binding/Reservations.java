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
            .thenComparing(volume -> ClaimNeeds.modeBits(volume.spec().accessModes()))
            .thenComparing(Fit::bytes)
            .thenComparing(volume -> volume.metadata().name());

    /** Most claims are named by one volume, and that one alone takes no map that can grow. */
    private final Map<ObjectKey, Map<String, PersistentVolume>> byClaim = new HashMap<>();

    /** Takes over a change of a volume. */
    public void changed(@Nullable PersistentVolume before, @Nullable PersistentVolume after) {
        if (before != null) {
            String name = before.metadata().name();
            ClaimReference.key(before)
                    .ifPresent(claim -> byClaim.computeIfPresent(claim, (key, volumes) -> without(name, volumes)));
        }
        if (after != null) {
            String name = after.metadata().name();
            ClaimReference.key(after)
                    .ifPresent(
                            claim -> byClaim.merge(claim, Map.of(name, after), (volumes, one) -> with(one, volumes)));
        }
    }

    private static Map<String, PersistentVolume> with(
            Map<String, PersistentVolume> one, Map<String, PersistentVolume> volumes) {
        Map<String, PersistentVolume> more = volumes.size() == 1 ? new LinkedHashMap<>(volumes) : volumes;
        more.putAll(one);
        return more.size() == 1 ? one : more;
    }

    private static @Nullable Map<String, PersistentVolume> without(String name, Map<String, PersistentVolume> volumes) {
        if (volumes.size() == 1) {
            return volumes.containsKey(name) ? null : volumes;
        }
        volumes.remove(name);
        return volumes.size() == 1 ? Map.copyOf(volumes) : volumes;
    }

    /** All volumes that name a claim of this name, whatever its UID. */
    public Collection<PersistentVolume> naming(ObjectKey claim) {
        return byClaim.getOrDefault(claim, Map.of()).values();
    }

    /**
     * What was made for the claim is its volume, though it may ask for something else since, or somebody may have asked for the
     * volume's end: both could as well have come after the binding, and nobody else will have it.
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
        Collection<PersistentVolume> naming = naming(claim.key());
        if (naming.isEmpty()) {
            return Optional.empty();
        }
        return naming.stream()
                .filter(volume -> ClaimReference.isFor(volume, claim))
                .filter(volume -> refusal(claim, needs, volume).isEmpty())
                .min(BEST);
    }
}
