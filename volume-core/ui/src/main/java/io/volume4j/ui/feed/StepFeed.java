package io.volume4j.ui.feed;

import io.volume4j.spi.host.Instrumentation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;

/**
 * Records the activity of one reconciler until the view asks for it. The records are bounded: each key once until it is taken,
 * each open step, the last {@value #RECENT} ended steps, and figures of ten minutes. Thread-safe; recording costs the event loop
 * no lock and no text. A closed feed records no new step, key or sync.
 */
public final class StepFeed implements Instrumentation {
    /** The number of kept ended steps. */
    public static final int RECENT = 4096;

    private final LongSupplier ticker;
    private final Set<Object> touched = ConcurrentHashMap.newKeySet();
    private final Map<String, OpenStep> open = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<EndedStep> recent = new AtomicReferenceArray<>(RECENT);
    private final AtomicLong endedSteps = new AtomicLong();
    private final Rates steps = new Rates();
    private final Rates syncs = new Rates();
    private volatile boolean closed;

    /** @param ticker monotonic nanoseconds */
    public StepFeed(LongSupplier ticker) {
        this.ticker = ticker;
    }

    @Override
    public Step step(StepStart start) {
        if (closed) {
            return Step.none();
        }
        OpenStep step = new OpenStep(this, start, ticker.getAsLong());
        open.put(step.id(), step);
        return step;
    }

    @Override
    public Scope plan(Object key) {
        giveBack(key);
        return Scope.none();
    }

    @Override
    public Scope journalSync() {
        if (closed) {
            return Scope.none();
        }
        long began = ticker.getAsLong();
        return () -> {
            long now = ticker.getAsLong();
            syncs.add(now, now - began, false);
        };
    }

    void ended(OpenStep step, String failure, boolean returned) {
        long now = ticker.getAsLong();
        long took = now - step.beganNanos();
        steps.add(now, took, !failure.isEmpty());
        int place = (int) (endedSteps.getAndIncrement() % RECENT);
        recent.set(place, new EndedStep(step.kind(), step.key(), step.attempt(), now, took, failure));
        giveBack(step.key());
        if (returned) {
            open.remove(step.id());
        }
    }

    void returned(OpenStep step) {
        open.remove(step.id());
    }

    /** Takes at most this many of the keys that may have changed since they were last taken. */
    public List<Object> take(int most) {
        List<Object> taken = new ArrayList<>();
        Iterator<Object> all = touched.iterator();
        while (taken.size() < most && all.hasNext()) {
            taken.add(all.next());
            all.remove();
        }
        return taken;
    }

    /** Marks the key for another take. */
    public void giveBack(Object key) {
        if (!closed) {
            touched.add(key);
        }
    }

    /** Stops recording: the view does not show this reconciler any more. Steps that are open may still end. Idempotent. */
    public void close() {
        closed = true;
        touched.clear();
    }

    public boolean isClosed() {
        return closed;
    }

    /** The number of waiting keys. */
    public int waiting() {
        return touched.size();
    }

    /** Steps that have not ended, or whose call has not returned; in no order. */
    public Collection<OpenStep> open() {
        return List.copyOf(open.values());
    }

    /** The last ended steps, the newest first. */
    public List<EndedStep> recent() {
        List<EndedStep> all = new ArrayList<>();
        long next = endedSteps.get();
        for (long i = next - 1; i >= 0 && i >= next - RECENT; i--) {
            EndedStep step = recent.get((int) (i % RECENT));
            if (step != null) {
                all.add(step);
            }
        }
        return all;
    }

    /** The number of ended steps since the start. */
    public long endedSteps() {
        return endedSteps.get();
    }

    /** Rates of steps, by the second of their end. */
    public Rates steps() {
        return steps;
    }

    /** Rates of journal syncs. */
    public Rates syncs() {
        return syncs;
    }

    /** The current time of the ticker. */
    public long nanoTime() {
        return ticker.getAsLong();
    }
}
