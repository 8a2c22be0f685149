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
 * The futures that a loop owes to other threads. A loop that ends drops what was posted to it, so the code that ends it also ends
 * these: no caller waits for an answer that cannot come any more. Thread-safe.
 */
public final class OpenAnswers {
    /** Guarded by itself. */
    private final Map<Long, CompletableFuture<?>> open = new DenseMap<>();

    private final AtomicLong owed = new AtomicLong();
    private final Supplier<VolumeException> refusal;
    private volatile boolean over;

    /** @param refusal what is said to those who wait in vain, made for each */
    public OpenAnswers(Supplier<VolumeException> refusal) {
        this.refusal = refusal;
    }

    /** Called before the question is posted. */
    public void owe(CompletableFuture<?> answer) {
        Long number = owed.incrementAndGet();
        synchronized (open) {
            open.put(number, answer);
        }
        // Also when the caller gives up.
        var unused = answer.whenComplete((value, failure) -> forget(number));
        if (over) {
            refuse(answer);
        }
    }

    /** The loop has ended: fails whatever it has not answered, and what it is asked from now on. */
    public void end() {
        over = true;
        List<CompletableFuture<?>> left;
        synchronized (open) {
            left = new ArrayList<>(open.values());
        }
        left.forEach(this::refuse);
    }

    /** How many wait. */
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
