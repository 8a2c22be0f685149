package io.volume4j.core.plugins.san;

import io.volume4j.core.plugins.common.AccessOptions;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.plugin.VolumeSpec;
import java.nio.file.Path;

/** Makes the device of a volume of a storage network appear on the node, and removes it. */
public interface DeviceConnector {
    /**
     * Makes the device appear, and waits for it. Succeeds if it exists already. A failure restores the earlier state.
     */
    Reached reach(VolumeSpec spec, CallContext context);

    /**
     * Removes the device. Succeeds if it does not exist. Fails as in use if any process or device on this node still
     * uses it.
     */
    void release(VolumeId volume, CallContext context);

    /** The other fields of the source. */
    Form form(VolumeSpec spec);

    /**
     * The device.
     *
     * @param fresh whether this call made it appear
     */
    record Reached(Path device, boolean fresh) {}

    /** How to mount a volume. */
    record Form(String fsType, boolean readOnly) {
        static Form of(VolumeSpec spec, String fsType, boolean readOnly) {
            return new Form(fsType, readOnly || AccessOptions.onlyReadByMany(spec));
        }
    }
}
