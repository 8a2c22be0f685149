package io.volume4j.csi.internal.metadata;

import io.volume4j.spi.CallContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The context of the plugin call for one stream. Ends when the client disconnects or the time is over. Thread-safe. */
final class StreamContext implements CallContext {
    private final String id;
    private final LongSupplier nanoTime;
    private final long end;
    private final List<Runnable> actions = new ArrayList<>();
    private boolean cancelled;

    StreamContext(String id, Duration longest, LongSupplier nanoTime) {
        this.id = id;
        this.nanoTime = nanoTime;
        this.end = nanoTime.getAsLong() + longest.toNanos();
    }

    @Override
    public String operationId() {
        return id;
    }

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(end - nanoTime.getAsLong());
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

    void cancel() {
        List<Runnable> now;
        synchronized (this) {
            cancelled = true;
            now = List.copyOf(actions);
            actions.clear();
        }
        now.forEach(Runnable::run);
    }

    /** Does nothing: the client sees the progress from the blocks. */
    @Override
    public void progress(String message) {}
}
