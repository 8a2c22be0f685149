package io.volume4j.core.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event loop on a thread of its own, which sleeps while there is nothing to do. */
public final class ThreadEventLoop implements EventLoop, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadEventLoop.class);

    /** Tasks run between two looks at the timers, so that a flood of events delays no timer for long. */
    private static final int BATCH = 256;

    /** Tasks run before what was put off for a moment is done. */
    private static final int MOMENT = 16;

    /** Cancelled alarms that are kept at most before they are looked for; most calls end long before their deadline. */
    private static final int CANCELLED = 4096;

    private final ConcurrentLinkedQueue<Runnable> mailbox = new ConcurrentLinkedQueue<>();
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    /** Loop thread only; a handful at most. */
    private final List<Runnable> soon = new ArrayList<>(2);

    private final LongSupplier ticker;
    private final InstantSource clock;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean asleep;
    private final long origin;
    private final AtomicInteger cancelled = new AtomicInteger();
    private long alarmsMade;

    private ThreadEventLoop(ThreadFactory threads, LongSupplier ticker, InstantSource clock) {
        this.ticker = ticker;
        this.origin = ticker.getAsLong();
        this.clock = clock;
        this.thread = threads.newThread(this::run);
    }

    /**
     * Starts a loop.
     *
     * @param ticker nanoseconds, such as {@code System::nanoTime}
     */
    public static ThreadEventLoop start(ThreadFactory threads, LongSupplier ticker, InstantSource clock) {
        ThreadEventLoop loop = new ThreadEventLoop(threads, ticker, clock);
        loop.thread.start();
        return loop;
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            return;
        }
        mailbox.add(task);
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Does what costs the loop much and can wait a moment, such as waking a thread for each of many calls: once for however
     * often the same action was asked for, when all tasks that are there have run, or a few of them have. At once if the
     * caller is no task of this loop.
     */
    public void soon(Runnable action) {
        if (!inLoop()) {
            action.run();
        } else if (!soon.contains(action)) {
            soon.add(action);
        }
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public long nanoTime() {
        return ticker.getAsLong() - origin;
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        if (!inLoop()) {
            Alarm alarm = new Alarm(nanoTime() + delay.toNanos(), 0, task);
            execute(() -> alarms.add(alarm.numbered(alarmsMade++)));
            return alarm;
        }
        Alarm alarm = new Alarm(nanoTime() + delay.toNanos(), alarmsMade++, task);
        alarms.add(alarm);
        return alarm;
    }

    /** Ends the loop after the task that runs now, if any, and waits for that unless called on the loop itself. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        if (inLoop()) {
            return;
        }
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            runDueAlarms();
            int ran = 0;
            @Nullable Runnable task;
            while (ran < BATCH && !closed && (task = mailbox.poll()) != null) {
                runGuarded(task);
                ran++;
                if (ran % MOMENT == 0) {
                    doWhatWasPutOff();
                }
            }
            doWhatWasPutOff();
            if (ran == 0) {
                sleep();
            }
        }
        mailbox.clear();
        doWhatWasPutOff();
    }

    private void doWhatWasPutOff() {
        for (int i = 0; i < soon.size(); i++) {
            runGuarded(soon.get(i));
        }
        soon.clear();
    }

    private void sleep() {
        asleep = true;
        if (mailbox.isEmpty() && !closed) {
            Alarm next = alarms.peek();
            if (next == null) {
                LockSupport.park(this);
            } else {
                long left = next.at - nanoTime();
                if (left > 0) {
                    LockSupport.parkNanos(this, left);
                }
            }
        }
        asleep = false;
    }

    private void runDueAlarms() {
        if (cancelled.get() > Math.max(CANCELLED, alarms.size() / 2)) {
            alarms.removeIf(alarm -> alarm.isCancelled);
            cancelled.set(0);
        }
        Alarm next = alarms.peek();
        while (next != null && (next.isCancelled || next.at - nanoTime() <= 0)) {
            alarms.poll();
            if (!next.isCancelled && !closed) {
                runGuarded(next.task);
            }
            next = alarms.peek();
        }
    }

    /** A bug in one task must not stop all volumes of a machine; what the task owned shows up in its own state. */
    private static void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error bug) {
            LOG.error("event loop task failed", bug);
        }
    }

    private final class Alarm implements Timer, Comparable<Alarm> {
        private final long at;
        private final Runnable task;
        private long number;
        private volatile boolean isCancelled;

        Alarm(long at, long number, Runnable task) {
            this.at = at;
            this.number = number;
            this.task = task;
        }

        Alarm numbered(long value) {
            number = value;
            return this;
        }

        @Override
        public void cancel() {
            if (!isCancelled) {
                isCancelled = true;
                cancelled.incrementAndGet();
            }
        }

        @Override
        public int compareTo(Alarm other) {
            int byTime = Long.signum(at - other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }
}
