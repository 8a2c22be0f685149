package io.volume4j.inmemory.plugin;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;

/** How many may use a volume at once, by the access modes of its PersistentVolume. */
record Access(boolean manyNodes, boolean onePod) {
    /** Without access modes no object says that sharing is safe, so it is not. */
    static Access of(VolumeSpec spec) {
        if (spec.persistentVolume() == null) {
            return new Access(false, false);
        }
        List<AccessMode> modes = spec.persistentVolume().spec().accessModes();
        boolean onePod = !modes.isEmpty() && modes.stream().allMatch(AccessMode.READ_WRITE_ONCE_POD::equals);
        return new Access(modes.stream().anyMatch(AccessMode::manyNodes), onePod);
    }
}
