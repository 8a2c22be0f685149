package io.volume4j.core.plugins;

import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.plugin.FormatLedger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ledger that writes down what it is told among the machine's effects. */
final class FakeLedger implements FormatLedger {
    private final List<String> effects;

    @Nullable
    OpenFormat open;

    @Nullable
    RuntimeException beginFails;

    @Nullable
    RuntimeException finishFails;

    FakeLedger(List<String> effects) {
        this.effects = effects;
    }

    List<String> effects() {
        return List.copyOf(effects);
    }

    @Override
    public void begin(DeviceIdentity device, String fsType, String proof) {
        if (beginFails != null) {
            throw beginFails;
        }
        effects.add("begin " + fsType);
        open = new OpenFormat(device, fsType, proof);
    }

    @Override
    public @Nullable OpenFormat open() {
        return open;
    }

    @Override
    public void finish() {
        if (finishFails != null) {
            throw finishFails;
        }
        effects.add("finish");
        open = null;
    }
}
