package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;

/** Says how a volume is. For people: nothing is decided by it. */
public interface HealthReporter {
    Health health(VolumeId volume, CallContext context);

    record Health(boolean abnormal, String message) {}
}
