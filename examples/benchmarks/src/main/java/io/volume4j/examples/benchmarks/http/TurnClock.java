package io.volume4j.examples.benchmarks.http;

import io.volume4j.examples.benchmarks.measure.ProcessorClock;
import java.util.function.LongSupplier;

/** The time since a turn's first write, by the clock, and in processor time of this process and of the store's. */
final class TurnClock {
    private final LongSupplier store;
    private final long ofStore;
    private final long own;
    private final long began;

    private TurnClock(LongSupplier store) {
        this.store = store;
        ofStore = store.getAsLong();
        own = ProcessorClock.nanos();
        began = System.nanoTime();
    }

    /** @param store its processor time so far, in nanoseconds */
    static TurnClock start(LongSupplier store) {
        return new TurnClock(store);
    }

    Turn stop(long writes, long refused, long busyNanos, int most) {
        long nanos = System.nanoTime() - began;
        return new Turn(
                nanos,
                ProcessorClock.nanos() - own,
                store.getAsLong() - ofStore,
                writes,
                refused,
                (double) busyNanos / nanos,
                most);
    }
}
