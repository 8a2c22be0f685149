package io.volume4j.core.plugins.common;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.mount.FilesystemMount;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether mount options, as {@code /etc/fstab} writes them, or access modes make a mount read-only. Pure. */
public final class AccessOptions {
    private AccessOptions() {}

    /** Whether they make a mount read-only: the last of {@code ro} and {@code rw} counts. */
    public static boolean onlyRead(List<String> options) {
        boolean onlyRead = false;
        for (String word : FilesystemMount.words(options)) {
            onlyRead = word.equals("ro") || (onlyRead && !word.equals("rw"));
        }
        return onlyRead;
    }

    /**
     * Whether ReadOnlyMany is the only access mode of the volume. Several nodes may then have its device at the same time, so the
     * device itself must be mounted read-only: no node may change files that another one has cached. The kernel still
     * replays the journal of a filesystem that was not unmounted cleanly, unless an option of the filesystem forbids it.
     */
    public static boolean onlyReadByMany(VolumeSpec spec) {
        @Nullable PersistentVolume volume = spec.persistentVolume();
        return volume != null && volume.spec().accessModes().equals(List.of(AccessMode.READ_ONLY_MANY));
    }
}
