package io.volume4j.core.linux;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** A call that the test cancels, and whose time passes at every look at it if the test says so. */
public final class ManualContext implements CallContext {
    private final String operationId;
    private final List<String> told = new ArrayList<>();
    private Duration remaining = Duration.ofMinutes(2);
    private Duration perLook = Duration.ZERO;
    private BooleanSupplier begun = () -> true;
    private final List<Runnable> whenCancelled = new ArrayList<>();
    private volatile boolean cancelled;

    public ManualContext(String operationId) {
        this.operationId = operationId;
    }

    public ManualContext() {
        this("test-" + ProcessHandle.current().pid());
    }

    public ManualContext passing(Duration time) {
        perLook = time;
        return this;
    }

    /** The same, from the first look on at which the condition holds. */
    public ManualContext passing(Duration time, BooleanSupplier from) {
        begun = from;
        return passing(time);
    }

    public synchronized void cancel() {
        cancelled = true;
        whenCancelled.forEach(Runnable::run);
    }

    public List<String> told() {
        return told;
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
        if (begun.getAsBoolean()) {
            remaining = remaining.minus(perLook);
        }
        return remaining;
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }

    @Override
    public synchronized void onCancel(Runnable action) {
        if (cancelled) {
            action.run();
        } else {
            whenCancelled.add(action);
        }
    }

    @Override
    public void progress(String message) {
        told.add(message);
    }
}
