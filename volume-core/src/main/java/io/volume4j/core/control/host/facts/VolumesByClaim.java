package io.volume4j.core.control.host.facts;

import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An index of volumes by the claim to which they refer. Loop thread only. */
public final class VolumesByClaim {
    /** Most claims have one volume, for which a small immutable map is enough. */
    private final Map<ObjectKey, Map<String, PersistentVolume>> byClaim = new HashMap<>();

    /** Updates the index after a change of a volume. */
    public void changed(@Nullable PersistentVolume before, @Nullable PersistentVolume after) {
        if (before != null) {
            String name = before.metadata().name();
            claimOf(before)
                    .ifPresent(claim -> byClaim.computeIfPresent(claim, (key, volumes) -> without(name, volumes)));
        }
        if (after != null) {
            String name = after.metadata().name();
            claimOf(after)
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

    /** All volumes that refer to a claim of this name, with any UID. */
    public Collection<PersistentVolume> naming(ObjectKey claim) {
        return byClaim.getOrDefault(claim, Map.of()).values();
    }

    /** The claim to which the volume refers, if the reference is complete. */
    public static Optional<ObjectKey> claimOf(PersistentVolume volume) {
        @Nullable ObjectReference reference = volume.spec().claimRef();
        return reference == null || reference.name().isEmpty()
                ? Optional.empty()
                : Optional.of(ObjectKey.claim(reference.namespace(), reference.name()));
    }
}
