package io.volume4j.core.plugins.san;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;
import java.util.List;

/** Makes the device of a volume of a storage network appear on the node, and go again. */
public interface DeviceConnector {
    /** Makes the device appear, and waits for it; there already is success. A failure leaves what was there before. */
    Reached reach(VolumeSpec spec, CallContext context);

    /** Undoes it; not there is success. In use, if anything on this node still has the device. */
    void release(VolumeId volume, CallContext context);

    /** What the source says beside where the device is. */
    Form form(VolumeSpec spec);

    /**
     * The device.
     *
     * @param fresh whether this very call made it appear
     */
    record Reached(Path device, boolean fresh) {}

    /** How a volume is to be mounted. */
    record Form(String fsType, boolean readOnly) {
        /** A volume of access mode ReadOnlyMany is mounted read-only, so that the filesystem's journal does not write to it. */
        static Form of(VolumeSpec spec, String fsType, boolean readOnly) {
            boolean onlyRead = spec.persistentVolume() != null
                    && spec.persistentVolume().spec().accessModes().equals(List.of(AccessMode.READ_ONLY_MANY));
            return new Form(fsType, readOnly || onlyRead);
        }
    }
}
