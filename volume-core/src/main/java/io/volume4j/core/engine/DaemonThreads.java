package io.volume4j.core.engine;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates numbered daemon threads. Thread-safe. */
public final class DaemonThreads implements ThreadFactory {
    private final String prefix;
    private final AtomicInteger made = new AtomicInteger();

    /** Threads named by the prefix and a number from 1. */
    public DaemonThreads(String prefix) {
        this.prefix = prefix;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, prefix + made.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
