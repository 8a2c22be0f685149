package io.volume4j.core.control.binding.plan;

import io.volume4j.spi.model.PersistentVolume;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The volume that a claim would get.
 *
 * @param volume null if there is none
 */
public record Match(@Nullable PersistentVolume volume) {
    private static final Match NONE = new Match(null);

    public static Match none() {
        return NONE;
    }

    public static Match of(PersistentVolume volume) {
        return new Match(volume);
    }

    boolean found() {
        return volume != null;
    }

    PersistentVolume get() {
        return Objects.requireNonNull(volume, "no match");
    }
}
