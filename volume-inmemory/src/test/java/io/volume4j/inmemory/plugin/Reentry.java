package io.volume4j.inmemory.plugin;

import io.volume4j.inmemory.fault.CallGate;
import io.volume4j.inmemory.fault.CallSite;
import io.volume4j.spi.CallContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes another call in the middle of the first one. */
final class Reentry implements CallGate {
    private final Runnable other;
    private boolean done;

    Reentry(Runnable other) {
        this.other = other;
    }

    @Override
    public void reached(CallSite site, Phase phase) {
        if (!done && phase == Phase.ISSUED) {
            done = true;
            other.run();
        }
    }

    @Override
    public void hang(CallSite site, @Nullable CallContext context) {}

    @Override
    public void pause(CallSite site, Duration delay, @Nullable CallContext context) {}

    @Override
    public void later(CallSite site, Duration delay, Runnable effect) {}
}
