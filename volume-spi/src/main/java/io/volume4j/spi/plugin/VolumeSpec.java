package io.volume4j.spi.plugin;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.CsiDriver;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.OtherSource;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A volume as a plugin gets it: a PersistentVolume, or a volume that a pod describes inline.
 *
 * @param name the PersistentVolume's name, or the pod's name for an inline volume
 * @param persistentVolume null for an inline volume
 * @param readOnly whether this use of it is read-only
 * @param migrated whether the volume had an in-tree source that the library translated to CSI for the plugin
 * @param driver the settings of the volume's CSI driver: those of the CSIDriver object, or those with which the
 *     plugin {@linkplain VolumePlugin#driverSettings overrides them}. Null if the library did not look for an object,
 *     as for volumes of other sources
 * @since 0.1.0
 */
public record VolumeSpec(
        String name,
        VolumeSource source,
        @Nullable PersistentVolume persistentVolume,
        boolean readOnly,
        boolean migrated,
        CsiDriver.@Nullable Spec driver) {
    public VolumeSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(source, "source");
    }

    /** A volume without driver settings. */
    public VolumeSpec(
            String name,
            VolumeSource source,
            @Nullable PersistentVolume persistentVolume,
            boolean readOnly,
            boolean migrated) {
        this(name, source, persistentVolume, readOnly, migrated, null);
    }

    /** A volume that is not migrated, without driver settings. */
    public VolumeSpec(String name, VolumeSource source, @Nullable PersistentVolume persistentVolume, boolean readOnly) {
        this(name, source, persistentVolume, readOnly, false);
    }

    public static VolumeSpec of(PersistentVolume volume, boolean readOnly) {
        return new VolumeSpec(volume.metadata().name(), volume.spec().source(), volume, readOnly);
    }

    /** A volume that a pod describes inline. An image volume is always read-only. */
    public static VolumeSpec inline(PodVolume volume) {
        boolean image =
                volume.source() instanceof OtherSource other && other.type().equals("image");
        return new VolumeSpec(volume.name(), volume.source(), null, image);
    }

    /** The same volume with these driver settings. */
    public VolumeSpec withDriver(CsiDriver.@Nullable Spec settings) {
        return Objects.equals(driver, settings)
                ? this
                : new VolumeSpec(name, source, persistentVolume, readOnly, migrated, settings);
    }

    /**
     * False if the driver settings say that its volumes are not attached, and for a CSI volume that a pod describes
     * inline: it has no handle, and API servers store no VolumeAttachment of it. Otherwise the plugin decides.
     */
    public boolean attachRequired() {
        boolean ephemeral = persistentVolume == null
                && source instanceof CsiSource csi
                && csi.volumeHandle().isEmpty();
        return !ephemeral && (driver == null || driver.attachRequired());
    }

    /**
     * False if the driver settings say that the library must not apply a pod's fsGroup to the content. Otherwise the
     * plugin decides. With {@code ReadWriteOnceWithFSType} this is true only for a volume with a filesystem type, and
     * only if ReadWriteOnce or ReadWriteOncePod is among the access modes of a PersistentVolume. An inline volume
     * belongs to one pod.
     */
    public boolean groupByLibrary() {
        if (driver == null) {
            return true;
        }
        return switch (driver.fsGroupPolicy()) {
            case FILE -> true;
            case NONE, UNKNOWN -> false;
            case READ_WRITE_ONCE_WITH_FS_TYPE -> oneNodeWithFsType();
        };
    }

    private boolean oneNodeWithFsType() {
        boolean hasFsType = source instanceof CsiSource csi && !csi.fsType().isEmpty();
        return hasFsType
                && (persistentVolume == null
                        || persistentVolume.spec().accessModes().stream()
                                .anyMatch(mode ->
                                        mode == AccessMode.READ_WRITE_ONCE || mode == AccessMode.READ_WRITE_ONCE_POD));
    }

    public VolumeMode volumeMode() {
        return persistentVolume == null
                ? VolumeMode.FILESYSTEM
                : persistentVolume.spec().volumeMode();
    }

    public List<String> mountOptions() {
        return persistentVolume == null ? List.of() : persistentVolume.spec().mountOptions();
    }

    /** A builder for a writable inline volume that is not migrated. */
    public static Builder builder(String name, VolumeSource source) {
        return new Builder(name, source);
    }

    /** A builder that starts with the values of this object. */
    public Builder toBuilder() {
        Builder builder = new Builder(name, source);
        builder.persistentVolume = persistentVolume;
        builder.readOnly = readOnly;
        builder.migrated = migrated;
        builder.driver = driver;
        return builder;
    }

    /** Builds a {@link VolumeSpec}. Fields that later versions add have defaults here. Not thread-safe. */
    public static final class Builder {
        private String name;
        private VolumeSource source;
        private @Nullable PersistentVolume persistentVolume;
        private boolean readOnly;
        private boolean migrated;
        private CsiDriver.@Nullable Spec driver;

        private Builder(String name, VolumeSource source) {
            this.name = name;
            this.source = source;
        }

        public Builder name(String value) {
            name = value;
            return this;
        }

        public Builder source(VolumeSource value) {
            source = value;
            return this;
        }

        public Builder persistentVolume(@Nullable PersistentVolume value) {
            persistentVolume = value;
            return this;
        }

        public Builder readOnly(boolean value) {
            readOnly = value;
            return this;
        }

        public Builder migrated(boolean value) {
            migrated = value;
            return this;
        }

        public Builder driver(CsiDriver.@Nullable Spec value) {
            driver = value;
            return this;
        }

        public VolumeSpec build() {
            return new VolumeSpec(name, source, persistentVolume, readOnly, migrated, driver);
        }
    }
}
