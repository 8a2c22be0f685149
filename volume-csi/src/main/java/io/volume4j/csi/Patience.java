package io.volume4j.csi;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The context of a call that is never cancelled and has a deadline. */
final class Patience implements CallContext {
    private final LongSupplier nanoClock;
    private final long end;

    Patience(Duration patience, LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.end = nanoClock.getAsLong() + patience.toNanos();
    }

    @Override
    public String operationId() {
        return "csi";
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(end - nanoClock.getAsLong());
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
