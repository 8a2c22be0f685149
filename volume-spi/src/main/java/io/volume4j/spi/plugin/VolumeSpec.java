package io.volume4j.spi.plugin;

import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A volume as a plugin is asked for it: a PersistentVolume, or a volume that a pod describes inline.
 *
 * @param name the PersistentVolume's name, or the pod's name for an inline volume
 * @param persistentVolume null for an inline volume
 * @param readOnly whether this use of it is read-only
 * @param migrated whether it is described as before there were CSI drivers, and was translated for the plugin
 */
public record VolumeSpec(
        String name,
        VolumeSource source,
        @Nullable PersistentVolume persistentVolume,
        boolean readOnly,
        boolean migrated) {
    public VolumeSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(source, "source");
    }

    /** A volume in its plugin's own words. */
    public VolumeSpec(String name, VolumeSource source, @Nullable PersistentVolume persistentVolume, boolean readOnly) {
        this(name, source, persistentVolume, readOnly, false);
    }

    public static VolumeSpec of(PersistentVolume volume, boolean readOnly) {
        return new VolumeSpec(volume.metadata().name(), volume.spec().source(), volume, readOnly);
    }

    public static VolumeSpec inline(PodVolume volume) {
        return new VolumeSpec(volume.name(), volume.source(), null, false);
    }

    public VolumeMode volumeMode() {
        return persistentVolume == null
                ? VolumeMode.FILESYSTEM
                : persistentVolume.spec().volumeMode();
    }

    public List<String> mountOptions() {
        return persistentVolume == null ? List.of() : persistentVolume.spec().mountOptions();
    }
}
