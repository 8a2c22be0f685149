package io.volume4j.examples.benchmarks.workload;

import java.util.function.LongSupplier;

/** Nanoseconds since the start, 0 before. Thread-safe. */
final class Stopwatch implements LongSupplier {
    private volatile long started;
    private volatile boolean running;

    /** Starts, once. */
    void start() {
        if (!running) {
            started = System.nanoTime();
            running = true;
        }
    }

    @Override
    public long getAsLong() {
        return running ? System.nanoTime() - started : 0;
    }
}
