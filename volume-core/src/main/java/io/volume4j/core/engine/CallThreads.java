package io.volume4j.core.engine;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for blocking calls. There are as many threads as calls. A thread ends when it has been idle for a while.
 *
 * <p>Waking a thread costs more than many calls do. Therefore at most one thread looks for work at a time. When it
 * has found a call and there are more, it wakes the next thread before it begins its call. So a call that never
 * returns does not delay the others, and few threads make many short calls. There are never more threads than calls
 * that run or wait at the same time, and {@link OperationExecutor} limits these.
 *
 * <p>A thread that looks for work first checks the event loop of these calls, if there is one
 * ({@link ThreadEventLoop#callThreads}). No thread is created for the loop alone.
 */
public final class CallThreads implements Executor, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CallThreads.class);
    private static final Duration IDLE = Duration.ofSeconds(30);

    /**
     * How many more checks a thread makes before it sleeps, about 20 µs: half the time of waking a thread. So work
     * that follows soon needs no wake-up.
     */
    private static final int LINGER = 500;

    private final ThreadFactory threads;
    private final LongSupplier ticker;
    private final SharedLoop loop;
    private final Runnable runLoop;
    private final Runnable lookAfterMore = this::lookAfterMore;
    private final ConcurrentLinkedQueue<Runnable> calls = new ConcurrentLinkedQueue<>();
    /** Threads that sleep. The one that slept last is woken first, so that unneeded ones end. */
    private final ConcurrentLinkedDeque<Worker> asleep = new ConcurrentLinkedDeque<>();
    /** Whether a thread looks for work, or has been woken to do so. */
    private final AtomicBoolean looking = new AtomicBoolean();

    private final Map<Thread, Worker> workers = new ConcurrentHashMap<>();
    /**
     * Whether the last thread could not be started, so that a shortage causes one log line. Only for the thread that
     * looks for work.
     */
    private volatile boolean scarce;

    private volatile boolean closed;

    /**
     * Threads that are created when there are calls.
     *
     * @param ticker nanoseconds, such as {@code System::nanoTime}
     * @param loop the loop that makes the calls
     */
    CallThreads(ThreadFactory threads, LongSupplier ticker, SharedLoop loop) {
        this.threads = threads;
        this.ticker = ticker;
        this.loop = loop;
        this.runLoop = () -> loop.run(lookAfterMore);
    }

    /** @throws RejectedExecutionException when it is closed */
    @Override
    public void execute(Runnable call) {
        if (closed) {
            throw new RejectedExecutionException("the threads for calls have been closed");
        }
        calls.add(call);
        loop.soon(lookAfterMore);
    }

    /** Drops waiting calls and interrupts running calls, except the call that closes this. Does not wait. */
    @Override
    public void close() {
        closed = true;
        for (Thread each : workers.keySet()) {
            if (each != Thread.currentThread()) {
                each.interrupt();
            }
        }
        lookAfterMore();
    }

    /** Whether the calling thread is one of these and is making a call. After the call, it looks for work. */
    boolean inCall() {
        @Nullable Worker worker = workers.get(Thread.currentThread());
        return worker != null && worker.inCall;
    }

    /** Makes sure that a thread looks for work if there is any. */
    void lookAfterMore() {
        if (closed) {
            calls.clear();
            if (loop.called()) {
                loop.wakeOwnThread();
            }
            return;
        }
        boolean forLoop = calls.isEmpty() && loop.called();
        if ((forLoop || !calls.isEmpty()) && looking.compareAndSet(false, true)) {
            @Nullable Worker sleeper = asleep.pollFirst();
            if (sleeper != null) {
                sleeper.wake();
            } else if (forLoop) {
                looking.set(false);
                loop.wakeOwnThread();
                if (!calls.isEmpty()) { // they came while the caller passed for a thread that looks
                    lookAfterMore();
                }
            } else if (!startAnother()) {
                looking.set(false);
                loop.lookAgain();
                loop.wakeOwnThread();
            }
        }
    }

    /** The loop's work comes before all calls: it is short, and calls wait for it. */
    private @Nullable Runnable next() {
        return loop.take() ? runLoop : calls.poll();
    }

    /** False if the machine has no more threads. The calls then wait for an existing thread or for the next try. */
    private boolean startAnother() {
        @Nullable Worker worker = null;
        try {
            worker = new Worker(threads);
            workers.put(worker.thread, worker);
            worker.thread.start();
            scarce = false;
            return true;
        } catch (Throwable none) {
            if (worker != null) {
                workers.remove(worker.thread);
            }
            if (!scarce) {
                scarce = true;
                LOG.atWarn()
                        .addKeyValue("threads", workers.size())
                        .addKeyValue("reason", none.toString())
                        .log("no more threads for calls");
            }
            return false;
        }
    }

    /** One thread. It begins as the thread that looks for work, also after each wake-up. */
    private final class Worker implements Runnable {
        private final Thread thread;
        private volatile boolean woken;
        /** Only for its own thread. */
        private boolean inCall;

        Worker(ThreadFactory threads) {
            thread = threads.newThread(this);
        }

        @Override
        public void run() {
            try {
                boolean stays = true;
                while (stays && !closed) {
                    @Nullable Runnable work = next();
                    looking.set(false);
                    while (work != null) {
                        lookAfterMore();
                        if (work == runLoop) {
                            work.run();
                        } else if (!closed) {
                            make(work);
                        }
                        work = next();
                    }
                    stays = linger() || sleep();
                }
            } finally {
                workers.remove(thread);
            }
        }

        private void make(Runnable call) {
            inCall = true;
            try {
                call.run();
            } catch (Throwable bug) {
                LOG.atError().setCause(bug).log("a call failed without being caught");
            } finally {
                inCall = false;
            }
            if (Thread.interrupted() && !closed) {
                LOG.atDebug().log("a call left its thread interrupted");
            }
        }

        /**
         * True if work came while this thread was still awake. Until then, and afterwards, this thread looks for work.
         */
        private boolean linger() {
            if (looking.compareAndSet(false, true)) {
                for (int i = 0; i < LINGER && !closed; i++) {
                    if (loop.called() || !calls.isEmpty()) {
                        return true;
                    }
                    Thread.onSpinWait();
                }
                looking.set(false);
            }
            return false;
        }

        /** True if this thread must look for work again, false if no work came for a while. */
        private boolean sleep() {
            woken = false;
            asleep.addFirst(this);
            // Work that came after the last check did not find this thread asleep yet.
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
            // Another thread has removed this thread from the list and is about to wake it.
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
