package io.volume4j.inmemory.plugin;

import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.plugin.VolumeSpec;
import java.util.List;

/** The permitted sharing of a volume, from the access modes of its PersistentVolume. */
record Access(boolean manyNodes, boolean onePod) {
    /** Without access modes no object permits sharing, so it is not permitted. */
    static Access of(VolumeSpec spec) {
        if (spec.persistentVolume() == null) {
            return new Access(false, false);
        }
        List<AccessMode> modes = spec.persistentVolume().spec().accessModes();
        boolean onePod = !modes.isEmpty() && modes.stream().allMatch(AccessMode.READ_WRITE_ONCE_POD::equals);
        return new Access(modes.stream().anyMatch(AccessMode::manyNodes), onePod);
    }
}
