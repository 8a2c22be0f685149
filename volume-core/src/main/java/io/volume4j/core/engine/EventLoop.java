package io.volume4j.core.engine;

import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;

/**
 * A single thread of control that owns all state of a reconciler. Tasks run one at a time, in the order in which they
 * were posted. Any thread may call {@link #execute}, which never blocks. A closed loop drops posted tasks.
 */
public interface EventLoop extends Executor {
    /** Whether the caller is a task of this loop. */
    boolean inLoop();

    /** Nanoseconds since the loop was created, for measurements and timers. Monotonic. */
    long nanoTime();

    /** The wall clock, for people. No decision depends on it. */
    Instant now();

    /** Runs the task on the loop after the delay. */
    Timer schedule(Duration delay, Runnable task);

    /** The instrumentation of the reconcilers on this loop. */
    default Instrumentation instrumentation() {
        return Instrumentation.none();
    }

    /** A scheduled task. */
    interface Timer {
        /** Cancels the task. Does nothing if it has run. Call it on the loop. */
        void cancel();
    }
}
