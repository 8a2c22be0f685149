package io.volume4j.core.plugins.flex;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The context of a driver's {@code init}, which is not part of an operation on a volume.
 *
 * @param begun the wall time of the call, only for its name
 * @param nanoClock measures the call: a step of the wall clock must neither end it nor let it run on
 * @param deadline of that clock
 */
record FlexProbeContext(String driver, Instant begun, LongSupplier nanoClock, long deadline) implements CallContext {
    static FlexProbeContext begin(String driver, Instant now, LongSupplier nanoClock, Duration limit) {
        return new FlexProbeContext(
                driver, now, nanoClock, nanoClock.getAsLong() + TimeUnit.NANOSECONDS.convert(limit));
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
        return Duration.ofNanos(deadline - nanoClock.getAsLong());
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
