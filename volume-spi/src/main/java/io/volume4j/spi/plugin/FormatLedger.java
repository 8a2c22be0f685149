package io.volume4j.spi.plugin;

import io.volume4j.spi.mount.DeviceIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The durable record of formats that were begun for the volume of one call. A crash in the middle of mkfs leaves a device
 * that is not blank and holds no filesystem: only this record tells that the device held no data. Thread-safe.
 *
 * @since 0.1.0
 */
public interface FormatLedger {
    /**
     * Records that the device, proved blank, is about to be formatted; returns when the record is durable.
     *
     * @throws io.volume4j.spi.VolumeException transient, if it could not be made durable: then nothing may be formatted
     */
    void begin(DeviceIdentity device, String fsType, String proof);

    /** The format that was begun and never finished for this volume, null if there is none. */
    @Nullable
    OpenFormat open();

    /** Records that the format ended well, or that the device was mounted since; returns when the record is durable. */
    void finish();

    /** A format whose end was not observed. */
    record OpenFormat(DeviceIdentity device, String fsType, String proof) {}
}
