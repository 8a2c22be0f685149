package io.volume4j.core.control.health;

import io.volume4j.core.control.host.LastEvents;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.plugin.HealthReporter.Health;
import org.jspecify.annotations.Nullable;

/**
 * What must be known to tell how a bound volume is.
 *
 * @param claim that has the volume
 * @param id what its plugin calls it
 * @param answer what the plugin said last, null if it has not said anything yet
 * @param answeredAt loop time of that
 * @param now loop time
 */
public record HealthView(
        PersistentVolume volume,
        PersistentVolumeClaim claim,
        VolumeId id,
        @Nullable Health answer,
        long answeredAt,
        long now,
        LastEvents told) {
    ObjectKey key() {
        return volume.key();
    }
}
