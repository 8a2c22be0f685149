package io.volume4j.inmemory.contract;

import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.plugin.FormatLedger;
import org.jspecify.annotations.Nullable;

/** Stores the format of one volume as the journal does, across restarts of the plugin. Thread-safe. */
final class OneVolumeLedger implements FormatLedger {
    private @Nullable OpenFormat begun;

    @Override
    public synchronized void begin(DeviceIdentity device, String fsType, String proof) {
        begun = new OpenFormat(device, fsType, proof);
    }

    @Override
    public synchronized @Nullable OpenFormat open() {
        return begun;
    }

    @Override
    public synchronized void finish() {
        begun = null;
    }
}
