package io.volume4j.spi.plugin;

import io.volume4j.spi.mount.DeviceIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The durable record of formats that the library began for the volume of one call. A crash during mkfs leaves a
 * device that is not blank but has no filesystem. Only this record then proves that the device contained no data.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public interface FormatLedger {
    /**
     * Records that a format of the device, which was proved blank, is about to begin. Returns when the record is
     * durable.
     *
     * @throws io.volume4j.spi.VolumeException transient, if the record could not be made durable: then the caller
     *     must not format
     */
    void begin(DeviceIdentity device, String fsType, String proof);

    /** The format of this volume that began and did not finish, null if there is none. */
    @Nullable
    OpenFormat open();

    /**
     * Records that the format succeeded, or that the device was mounted after it. Returns when the record is durable.
     */
    void finish();

    /** A format whose end is not recorded. */
    record OpenFormat(DeviceIdentity device, String fsType, String proof) {}
}
