package io.volume4j.core.engine;

import io.volume4j.core.tables.DenseMap;
import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The open futures that a loop must complete for other threads. A closed loop drops its tasks, so the code that
 * closes it also fails these futures. Then no caller waits for an answer that cannot come. Thread-safe.
 */
public final class OpenAnswers {
    /** Guarded by its own lock. */
    private final Map<Long, CompletableFuture<?>> open = new DenseMap<>();

    private final AtomicLong owed = new AtomicLong();
    private final Supplier<VolumeException> refusal;
    private volatile boolean over;

    /** @param refusal creates the failure for each open future */
    public OpenAnswers(Supplier<VolumeException> refusal) {
        this.refusal = refusal;
    }

    /** Registers a future. Call it before posting the query to the loop. */
    public void owe(CompletableFuture<?> answer) {
        Long number = owed.incrementAndGet();
        synchronized (open) {
            open.put(number, answer);
        }
        // Also when the caller cancels it.
        var unused = answer.whenComplete((value, failure) -> forget(number));
        if (over) {
            refuse(answer);
        }
    }

    /** Fails all open futures and all later ones, because the loop has ended. */
    public void end() {
        over = true;
        List<CompletableFuture<?>> left;
        synchronized (open) {
            left = new ArrayList<>(open.values());
        }
        left.forEach(this::refuse);
    }

    /** The number of open futures. */
    int size() {
        synchronized (open) {
            return open.size();
        }
    }

    private void forget(Long number) {
        synchronized (open) {
            open.remove(number);
        }
    }

    private void refuse(CompletableFuture<?> answer) {
        answer.completeExceptionally(refusal.get());
    }
}
