package io.volume4j.csi.testing;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A call's context that a test can cancel. Its time never runs out by itself. */
public final class TestContext implements CallContext {
    private final Duration remaining;
    private final List<Runnable> actions = new ArrayList<>();
    private boolean cancelled;

    private TestContext(Duration remaining) {
        this.remaining = remaining;
    }

    public static TestContext patient() {
        return within(Duration.ofSeconds(30));
    }

    public static TestContext within(Duration remaining) {
        return new TestContext(remaining);
    }

    public void cancel() {
        List<Runnable> waiting;
        synchronized (this) {
            cancelled = true;
            waiting = List.copyOf(actions);
        }
        waiting.forEach(Runnable::run);
    }

    @Override
    public String operationId() {
        return "op-1";
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Duration remaining() {
        return remaining;
    }

    @Override
    public synchronized boolean cancelled() {
        return cancelled;
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (this) {
            if (!cancelled) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public void progress(String message) {}
}
