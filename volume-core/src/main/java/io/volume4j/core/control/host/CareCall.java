package io.volume4j.core.control.host;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.spi.CallContext;
import java.time.Duration;

/** The context of a call whose caller waits for the answer and cannot cancel it. */
public final class CareCall implements CallContext {
    private final EventLoop loop;
    private final String operationId;
    private final long deadline;

    public CareCall(EventLoop loop, String operationId, Duration within) {
        this.loop = loop;
        this.operationId = operationId;
        this.deadline = loop.nanoTime() + within.toNanos();
    }

    @Override
    public String operationId() {
        return operationId;
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(deadline - loop.nanoTime());
    }

    @Override
    public boolean cancelled() {
        return remaining().isNegative();
    }

    @Override
    public void onCancel(Runnable action) {
        // It is never cancelled.
    }

    @Override
    public void progress(String message) {
        // It has no listener.
    }
}
