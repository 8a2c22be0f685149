package io.volume4j.core.engine;

import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;

/**
 * One thread of control that owns all state of a reconciler. Tasks run one at a time, in the order in which they were
 * posted; {@link #execute} may be called from anywhere and never blocks. After the loop is closed, posted tasks are
 * dropped.
 */
public interface EventLoop extends Executor {
    /** Whether the caller is a task of this loop. */
    boolean inLoop();

    /** Nanoseconds since the loop was made, for measuring and for timers; never goes back. */
    long nanoTime();

    /** The wall clock, for people; no decision depends on it. */
    Instant now();

    /** Runs the task on the loop when the delay is over. */
    Timer schedule(Duration delay, Runnable task);

    /** Gets the spans of the work of the reconcilers that this loop runs. */
    default Instrumentation instrumentation() {
        return Instrumentation.none();
    }

    /** A task that waits for its time. */
    interface Timer {
        /** Makes sure that the task will not run; nothing if it ran. To be called on the loop. */
        void cancel();
    }
}
