package io.volume4j.examples.agent;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Threads that answer requests, each request for a limited time. The JDK's server reads a request on the thread that answers it, and
 * waits for the rest of a request without a limit. Interrupting a thread that reads or writes closes its connection; the thread then
 * answers other requests. Thread-safe.
 */
final class RequestThreads implements Executor, AutoCloseable {
    private final ScheduledThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor timer;
    private final Duration most;

    /**
     * Starts all threads now, because the machine may run out of threads later: a failure to hand over a request would end the thread
     * that accepts requests. Any exception of a request ends only the request.
     *
     * @param most time for each request
     */
    RequestThreads(int count, Duration most, ThreadFactory factory) {
        this.most = most;
        threads = new ScheduledThreadPoolExecutor(count, factory);
        timer = new ScheduledThreadPoolExecutor(1, factory);
        timer.setRemoveOnCancelPolicy(true);
        threads.prestartAllCoreThreads();
        timer.prestartCoreThread();
    }

    @Override
    public void execute(Runnable request) {
        threads.execute(() -> answer(request));
    }

    private void answer(Runnable request) {
        // Its cancellation interrupts this thread only while the request runs.
        FutureTask<Boolean> task = new FutureTask<>(request, true);
        Future<?> end = timer.schedule(() -> task.cancel(true), most.toNanos(), TimeUnit.NANOSECONDS);
        task.run();
        end.cancel(false);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        timer.shutdownNow();
    }
}
