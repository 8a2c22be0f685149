package io.volume4j.core.control.health;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import org.jspecify.annotations.Nullable;

/**
 * The facts for reporting the health of a bound volume.
 *
 * @param claim the claim that has the volume
 * @param id the volume's ID
 * @param reading the plugin's last answer, null before the first
 * @param listing the state of the plugin's list of all its volumes
 * @param now loop time
 */
public record HealthView(
        PersistentVolume volume,
        PersistentVolumeClaim claim,
        VolumeId id,
        @Nullable Reading reading,
        Listing listing,
        long now,
        LastEvents told) {
    /** The list of a plugin. */
    public enum Listing {
        /** The plugin has none, or the list failed. */
        NONE,
        DUE,
        UNDER_WAY,
        /** It was read a short time ago, and does not have the volume. */
        READ
    }

    ObjectKey key() {
        return volume.key();
    }
}
