package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.PersistentVolume;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The volume that a claim would get.
 *
 * @param volume null if there is none
 * @param outOfReach whether there is one that is reserved for the claim, but not reachable from the claim's node: no other
 *     volume may take its place
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
