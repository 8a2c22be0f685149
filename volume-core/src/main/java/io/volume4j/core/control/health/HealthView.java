package io.volume4j.core.control.health;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import org.jspecify.annotations.Nullable;

/**
 * What must be known to tell how a bound volume is.
 *
 * @param claim that has the volume
 * @param id what its plugin calls it
 * @param reading what the plugin said last, null if it has not said anything yet
 * @param listing how the plugin's list of all its volumes is
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
        /** The plugin has none, or could not give it. */
        NONE,
        DUE,
        UNDER_WAY,
        /** It was read a short time ago, and says nothing about the volume. */
        READ
    }

    ObjectKey key() {
        return volume.key();
    }
}
