package io.volume4j.core.engine;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for calls that block: as many as there are calls, and they go when they have had nothing to do for a while.
 *
 * <p>Waking a thread costs more than many a call. So one thread after the other is woken and not all at once: at most one
 * looks for work at a time, and when it has found some and there is more, it wakes the next before it begins. A call that
 * never returns has therefore always been left by a thread that saw to the others first, and many short calls are made by few
 * threads. There are never more threads than calls that run or wait at the same time, which {@link OperationExecutor} bounds.
 */
public final class CallThreads implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallThreads.class);
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ThreadFactory threads;
    private final LongSupplier ticker;
    private final Executor waker;
    private final Runnable lookAfterMore = this::lookAfterMore;
    private final ConcurrentLinkedQueue<Runnable> calls = new ConcurrentLinkedQueue<>();
    /** Threads that sleep. The one that fell asleep last is woken first, so that those that are not needed end. */
    private final ConcurrentLinkedDeque<Worker> asleep = new ConcurrentLinkedDeque<>();
    /** Whether a thread looks for work, or is on its way to. */
    private final AtomicBoolean looking = new AtomicBoolean();

    private final Set<Worker> workers = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Threads that are made when there are calls.
     *
     * @param ticker nanoseconds, such as {@code System::nanoTime}
     * @param waker wakes a thread for calls that came, at once ({@code Runnable::run}) or soon, for several at a time; the
     *     actions that it gets for one caller's calls are the same object
     */
    public CallThreads(ThreadFactory threads, LongSupplier ticker, Executor waker) {
        this.threads = threads;
        this.ticker = ticker;
        this.waker = waker;
    }

    /** @throws RejectedExecutionException when it is closed */
    @Override
    public void execute(Runnable call) {
        if (closed) {
            throw new RejectedExecutionException("the threads for calls have been closed");
        }
        calls.add(call);
        waker.execute(lookAfterMore);
    }

    /** Calls that wait are not made, those that run are interrupted. Waits for nobody. */
    @Override
    public void close() {
        closed = true;
        calls.clear();
        workers.forEach(worker -> worker.thread.interrupt());
    }

    /** Sees to it that some thread looks for work if there is any. */
    private void lookAfterMore() {
        if (!calls.isEmpty() && looking.compareAndSet(false, true)) {
            Worker sleeper = asleep.pollFirst();
            if (sleeper != null) {
                sleeper.wake();
            } else if (!startAnother()) {
                looking.set(false);
            }
        }
    }

    /** False if the machine has no more threads to give: the calls wait for one that is there. */
    private boolean startAnother() {
        Worker worker = new Worker(threads);
        workers.add(worker);
        try {
            worker.thread.start();
            return true;
        } catch (OutOfMemoryError none) {
            workers.remove(worker);
            LOG.warn("no more threads for calls threads={} reason=\"{}\"", workers.size(), none.toString());
            return false;
        }
    }

    /** One thread. When it begins, and when it is woken, it is the one that looks for work. */
    private final class Worker implements Runnable {
        private final Thread thread;
        private volatile boolean woken;

        Worker(ThreadFactory threads) {
            thread = threads.newThread(this);
        }

        @Override
        public void run() {
            try {
                boolean stays = true;
                while (stays && !closed) {
                    Runnable call = calls.poll();
                    looking.set(false);
                    while (call != null && !closed) {
                        lookAfterMore();
                        make(call);
                        call = calls.poll();
                    }
                    stays = sleep();
                }
            } finally {
                workers.remove(this);
            }
        }

        private void make(Runnable call) {
            try {
                call.run();
            } catch (RuntimeException | Error bug) {
                LOG.error("a call failed without being caught", bug);
            }
            if (Thread.interrupted() && !closed) {
                LOG.debug("a call left its thread interrupted");
            }
        }

        /** True if this thread is to look for work again, false if nothing came for a while. */
        private boolean sleep() {
            woken = false;
            asleep.addFirst(this);
            // What came after the last look found this thread not asleep yet.
            lookAfterMore();
            long until = ticker.getAsLong() + IDLE.toNanos();
            long left = IDLE.toNanos();
            while (!woken && left > 0 && !closed) {
                LockSupport.parkNanos(CallThreads.this, left);
                left = until - ticker.getAsLong();
            }
            if (woken || asleep.remove(this)) {
                return woken;
            }
            // Somebody has taken this thread to wake it just now.
            while (!woken && !closed) {
                LockSupport.park(CallThreads.this);
            }
            return woken;
        }

        private void wake() {
            woken = true;
            LockSupport.unpark(thread);
        }
    }
}
