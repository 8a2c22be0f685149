package io.volume4j.inmemory.oracle;

import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.PersistentVolume;

/** The backend's handle of a volume. */
final class HandleOf {
    private HandleOf() {}

    static String volume(PersistentVolume volume) {
        return volume.spec().source() instanceof CsiSource csi
                        && !csi.volumeHandle().isEmpty()
                ? csi.volumeHandle()
                : volume.metadata().name();
    }
}
