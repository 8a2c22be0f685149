package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An executor with one thread that starts at once. A pool that creates its thread with its first task would fail
 * later, at an unexpected place, if the machine has no more threads.
 */
public final class OneThread {
    private OneThread() {}

    /** @throws VolumeException transient, if no thread can be created */
    public static ExecutorService start(ThreadFactory threads) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), threads);
        try {
            pool.prestartCoreThread();
            return pool;
        } catch (RuntimeException | Error none) {
            pool.shutdownNow();
            throw NoThread.because("cannot start a thread that is to run for long", none);
        }
    }
}
