package io.volume4j.inmemory.host;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The context of a call that a test makes itself: a first attempt with enough time. The test can cancel it.
 * Thread-safe.
 *
 * @since 0.1.0
 */
public final class ManualCallContext implements CallContext {
    private final String operationId;
    private final List<Runnable> actions = new ArrayList<>();
    private final List<String> progress = new ArrayList<>();
    private boolean cancelled;

    public ManualCallContext() {
        this("test");
    }

    public ManualCallContext(String operationId) {
        this.operationId = operationId;
    }

    @Override
    public String operationId() {
        return operationId;
    }

    @Override
    public int attempt() {
        return 1;
    }

    /** One minute; zero after the test has cancelled the call. */
    @Override
    public synchronized Duration remaining() {
        return cancelled ? Duration.ZERO : Duration.ofMinutes(1);
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
    public synchronized void progress(String message) {
        progress.add(message);
    }

    /** The progress messages of the call, in order. */
    public synchronized List<String> told() {
        return List.copyOf(progress);
    }

    /** Cancels the call. Idempotent. */
    public void cancel() {
        List<Runnable> toRun;
        synchronized (this) {
            cancelled = true;
            toRun = new ArrayList<>(actions);
            actions.clear();
        }
        toRun.forEach(Runnable::run);
    }
}
