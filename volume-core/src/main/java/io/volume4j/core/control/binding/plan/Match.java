package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.PersistentVolume;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The volume that a claim would get.
 *
 * @param volume null if there is none
 * @param outOfReach whether a volume is reserved for the claim, but not accessible from the claim's node; the claim then gets no
 *     other volume
 */
public record Match(@Nullable PersistentVolume volume, boolean outOfReach) {
    private static final Match NONE = new Match(null, false);

    public static Match none() {
        return NONE;
    }

    public static Match of(PersistentVolume volume) {
        return new Match(volume, false);
    }

    public static Match outOfReach(PersistentVolume volume) {
        return new Match(volume, true);
    }

    boolean usable() {
        return volume != null && !outOfReach;
    }

    PersistentVolume get() {
        return Objects.requireNonNull(volume, "no match");
    }
}
