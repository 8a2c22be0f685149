package io.volume4j.core.plugins.flex;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The context of a driver's {@code init}, which is not part of an operation on a volume. */
record FlexProbeContext(String driver, InstantSource clock, Instant begun, Duration limit) implements CallContext {
    static FlexProbeContext begin(String driver, InstantSource clock, Duration limit) {
        return new FlexProbeContext(driver, clock, clock.instant(), limit);
    }

    @Override
    public String operationId() {
        return "flexvolume-init-" + driver + "-" + begun;
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Duration remaining() {
        return limit.minus(Duration.between(begun, clock.instant()));
    }

    @Override
    public boolean cancelled() {
        return false;
    }

    @Override
    public void onCancel(Runnable action) {}

    @Override
    public void progress(String message) {}
}
