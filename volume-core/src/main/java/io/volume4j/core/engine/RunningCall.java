package io.volume4j.core.engine;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The context of a call on a worker; shared between that worker and the loop. */
final class RunningCall implements CallContext {
    private static final Logger LOG = LoggerFactory.getLogger(RunningCall.class);

    private final String operationId;
    private final int attempt;
    private final LongSupplier ticker;
    private final long deadlineNanos;
    private final Consumer<String> progress;
    private final Object monitor = new Object();
    private List<Runnable> onCancel = List.of();
    private boolean begun;
    private boolean ended;
    private volatile boolean cancelled;

    /** @param text removes secrets from the call's progress messages */
    RunningCall(
            String operationId,
            int attempt,
            Duration deadline,
            EventLoop loop,
            UnaryOperator<String> text,
            Consumer<String> progress) {
        this.operationId = operationId;
        this.attempt = attempt;
        this.ticker = loop::nanoTime;
        this.deadlineNanos = loop.nanoTime() + TimeUnit.NANOSECONDS.convert(deadline);
        this.progress = message -> {
            String clean = text.apply(message);
            loop.execute(() -> progress.accept(clean));
        };
    }

    private RunningCall() {
        this.operationId = "";
        this.attempt = 0;
        this.ticker = () -> 0;
        this.deadlineNanos = 0;
        this.progress = message -> {};
    }

    static RunningCall notStarted() {
        return new RunningCall();
    }

    @Override
    public String operationId() {
        return operationId;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(deadlineNanos - ticker.getAsLong());
    }

    @Override
    public boolean cancelled() {
        return cancelled;
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (monitor) {
            if (ended) {
                return;
            }
            if (!cancelled) {
                if (onCancel.isEmpty()) {
                    onCancel = new ArrayList<>(1);
                }
                onCancel.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public void progress(String message) {
        progress.accept(message);
    }

    /**
     * Returns true only for the first caller: the worker that makes the call, or the thread that reports that no
     * worker does.
     */
    boolean begin() {
        synchronized (monitor) {
            boolean first = !begun;
            begun = true;
            return first;
        }
    }

    void cancel() {
        List<Runnable> actions;
        synchronized (monitor) {
            if (cancelled || ended) {
                return;
            }
            cancelled = true;
            actions = onCancel;
            onCancel = List.of();
        }
        for (Runnable action : actions) {
            try {
                action.run();
            } catch (Throwable failed) {
                LOG.atWarn()
                        .setCause(failed)
                        .addKeyValue("operation", operationId)
                        .log("cancel action failed");
            }
        }
    }

    /** Drops the cancel actions, because the work that they would stop has ended. */
    void end() {
        synchronized (monitor) {
            ended = true;
            onCancel = List.of();
        }
    }
}
