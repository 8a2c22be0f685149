package io.volume4j.core.objects;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;

/**
 * The dependencies of a cache.
 *
 * @param loop runs one task at a time, in order; every change of the cache happens there
 * @param worker runs the source's calls, which may block
 * @param timer runs a task on the loop later
 * @param backoff the delay after this number of consecutive failures, from 1
 */
public record CachePorts(Executor loop, Executor worker, Timer timer, IntFunction<Duration> backoff) {
    public CachePorts {
        Objects.requireNonNull(loop, "loop");
        Objects.requireNonNull(worker, "worker");
        Objects.requireNonNull(timer, "timer");
        Objects.requireNonNull(backoff, "backoff");
    }

    /** Runs tasks on the loop later. Called on the loop only. */
    public interface Timer {
        /** Runs the task on the loop after the delay, unless the loop ended before. */
        void after(Duration delay, Runnable task);
    }
}
