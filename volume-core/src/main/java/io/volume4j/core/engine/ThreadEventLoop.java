package io.volume4j.core.engine;

import com.google.common.util.concurrent.Uninterruptibles;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop with its own thread, which sleeps while there is nothing to do. If the loop has threads for its
 * calls, one of these runs the loop whenever possible: it makes a call that the loop has requested, and runs the loop
 * again after the call. Then no thread must be woken for either. Only the thread with the {@link Turn} runs the loop.
 * The loop's own thread keeps the timers, and runs the loop while all other threads are in calls, so that a hanging
 * call delays no caller.
 */
public final class ThreadEventLoop implements EventLoop, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadEventLoop.class);

    /**
     * The maximum number of tasks between two checks of the timers, so that a flood of events does not delay timers.
     */
    private static final int BATCH = 256;

    /** The maximum number of tasks before the actions of {@link #soon} run. */
    private static final int MOMENT = 16;

    /** The maximum number of cancelled alarms before they are removed; most calls end long before their deadline. */
    private static final int CANCELLED = 4096;

    /**
     * The maximum delay of a task that a call posts, in nanoseconds. Usually the call's thread runs the task after the
     * call, and nearly all calls end sooner; but a call may hang.
     */
    private static final long PATIENCE = Duration.ofMillis(10).toNanos();

    /** The delay of the next try to get a thread for calls, in nanoseconds: no later call may come. */
    private static final long NO_THREAD = Duration.ofSeconds(1).toNanos();

    private static final long NEVER = Long.MAX_VALUE;

    private final ConcurrentLinkedQueue<Runnable> mailbox = new ConcurrentLinkedQueue<>();
    /** Only with the turn. */
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    /** Only with the turn; a few at most. */
    private final List<Runnable> soon = new ArrayList<>(2);

    private final LongSupplier ticker;
    private final InstantSource clock;
    private final Thread thread;
    private final Turn turn = new Turn();
    /** The latest time of the own thread's next check. */
    private final AtomicLong lookAt = new AtomicLong(NEVER);

    private volatile @Nullable CallThreads helpers;
    /** Written before {@link #lookAt}, so that the own thread sees at least one of both. */
    private volatile boolean callsWait;

    private volatile boolean closed;
    private volatile Runnable lastly = () -> {};
    private final long origin;
    private final AtomicInteger cancelled = new AtomicInteger();
    private final Instrumentation instrumentation;
    private long alarmsMade;

    private ThreadEventLoop(
            ThreadFactory threads, LongSupplier ticker, InstantSource clock, Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
        this.ticker = ticker;
        this.origin = ticker.getAsLong();
        this.clock = clock;
        this.thread = threads.newThread(this::keepTime);
    }

    /**
     * Starts a loop.
     *
     * @param ticker nanoseconds, such as {@code System::nanoTime}
     * @throws VolumeException transient, if there is no thread
     */
    public static ThreadEventLoop start(ThreadFactory threads, LongSupplier ticker, InstantSource clock) {
        return start(threads, ticker, clock, Instrumentation.none());
    }

    /**
     * The same.
     *
     * @param instrumentation gets the work of its reconcilers
     */
    public static ThreadEventLoop start(
            ThreadFactory threads, LongSupplier ticker, InstantSource clock, Instrumentation instrumentation) {
        try {
            ThreadEventLoop loop = new ThreadEventLoop(threads, ticker, clock, instrumentation);
            loop.thread.start();
            return loop;
        } catch (Throwable none) {
            throw NoThread.because("cannot start an event loop", none);
        }
    }

    /**
     * Creates threads for the calls of this loop, which also run the loop. The caller must call it only once.
     *
     * @param threads creates the threads
     */
    public CallThreads callThreads(ThreadFactory threads) {
        if (helpers != null) {
            throw new IllegalStateException("this loop has threads for its calls");
        }
        CallThreads made = new CallThreads(threads, ticker, new Shared());
        helpers = made;
        return made;
    }

    @Override
    public void execute(Runnable task) {
        if (closed) {
            return;
        }
        mailbox.add(task);
        if (turn.free()) {
            @Nullable CallThreads own = helpers;
            if (own != null && own.inCall()) {
                lookBy(nanoTime() + PATIENCE);
            } else if (turn.call()) {
                summon(own);
            }
        }
    }

    private void summon(@Nullable CallThreads own) {
        if (own == null) {
            LockSupport.unpark(thread);
        } else {
            own.lookAfterMore();
        }
    }

    private void lookBy(long at) {
        if (lookAt.get() > at && lookAt.getAndAccumulate(at, Math::min) > at) {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Runs an expensive action that can wait a moment, such as waking a thread for each of many calls. The loop runs
     * equal actions only once, after all current tasks or after some of them. Runs it at once if the caller is not a
     * task of this loop.
     */
    public void soon(Runnable action) {
        if (!inLoop()) {
            action.run();
        } else if (!soon.contains(action)) {
            soon.add(action);
        }
    }

    @Override
    public Instrumentation instrumentation() {
        return instrumentation;
    }

    @Override
    public boolean inLoop() {
        return turn.mine();
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
            Alarm alarm = new Alarm(after(delay), 0, task);
            execute(() -> alarms.add(alarm.numbered(alarmsMade++)));
            return alarm;
        }
        Alarm alarm = new Alarm(after(delay), alarmsMade++, task);
        alarms.add(alarm);
        return alarm;
    }

    /** The loop time after the delay; never, if the delay exceeds the range of the clock. */
    private long after(Duration delay) {
        long now = nanoTime();
        long at = now + TimeUnit.NANOSECONDS.convert(delay);
        return at < now && !delay.isNegative() ? NEVER : at;
    }

    /**
     * Ends the loop with a last task, which always runs exactly once: at once if this is called on the loop,
     * otherwise after the tasks that were posted before. If those do not end within the timeout, because a task
     * hangs, only the last task runs when it ends. Waits at most the timeout for the tasks, and at most the same time
     * again for the last task.
     * @return the result of the last task; not complete if the timeout was too short
     */
    public <T> CompletableFuture<T> close(Supplier<T> last, Duration timeout) {
        CompletableFuture<T> ended = new CompletableFuture<>();
        Runnable once = () -> {
            if (!ended.isDone()) {
                try {
                    ended.complete(last.get());
                } catch (Throwable failure) {
                    ended.completeExceptionally(failure);
                }
            }
        };
        if (inLoop()) {
            once.run();
        } else {
            execute(once);
        }
        try {
            // A host that ends its threads interrupts them, and their finally blocks close what they opened.
            Uninterruptibles.getUninterruptibly(ended.handle((value, failure) -> true), timeout);
        } catch (ExecutionException | TimeoutException late) {
            // then the last task runs when the hanging task ends
        }
        lastly = once;
        closed = true;
        LockSupport.unpark(thread);
        if (!inLoop() && ended.isDone()) {
            awaitEnd(TimeUnit.MILLISECONDS.convert(timeout) + 1);
        }
        return ended;
    }

    /** Ends the loop after the running task, and waits for that task unless this is called on the loop. */
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

    private void awaitEnd(long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The main method of the loop's own thread. */
    private void keepTime() {
        while (!closed) {
            long at = lookAt.get();
            boolean due = at <= nanoTime();
            if (due) {
                lookAt.set(NEVER);
                lookAfterCalls();
            }
            if ((due || turn.called()) && turn.take()) {
                lead(null);
            } else if (!due) {
                sleepUntil(at);
            }
        }
        while (!turn.end()) {
            LockSupport.park(this);
        }
        mailbox.clear();
        runGuarded(lastly);
        doWhatWasPutOff();
    }

    private void lookAfterCalls() {
        @Nullable CallThreads own = helpers;
        if (callsWait && own != null) {
            callsWait = false;
            own.lookAfterMore();
        }
    }

    private void sleepUntil(long at) {
        // An interrupt has no meaning here and would only prevent sleep.
        Thread.interrupted();
        if (at == NEVER) {
            LockSupport.park(this);
        } else {
            long left = at - nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            }
        }
    }

    /**
     * Runs the loop until there is nothing to do. The caller has the turn, and loses it.
     *
     * @param needless an action of {@link #soon} that need not run, because the caller runs it afterwards; null for
     *     none
     */
    private void lead(@Nullable Runnable needless) {
        long next;
        do {
            runAll();
            soon.remove(needless);
            doWhatWasPutOff();
            @Nullable Alarm first = alarms.peek();
            next = first == null ? NEVER : first.at;
            turn.leave();
        } while (!closed && !mailbox.isEmpty() && turn.take());
        if (closed) {
            LockSupport.unpark(thread);
        } else {
            lookBy(next);
        }
    }

    /** Runs everything except for timers that are not due. */
    private void runAll() {
        int ran = 0;
        int before;
        do {
            before = ran;
            runDueAlarms();
            @Nullable Runnable task;
            while (!closed && (task = mailbox.poll()) != null) {
                runGuarded(task);
                ran++;
                if (ran % MOMENT == 0) {
                    doWhatWasPutOff();
                }
                if (ran % BATCH == 0) {
                    runDueAlarms();
                }
            }
        } while (ran > before);
    }

    private void doWhatWasPutOff() {
        for (int i = 0; i < soon.size(); i++) {
            runGuarded(soon.get(i));
        }
        soon.clear();
    }

    /** Runs what is due now. A timer that its task sets again waits for the next time, so that no timer can keep tasks waiting. */
    private void runDueAlarms() {
        long now = nanoTime();
        if (cancelled.get() > Math.max(CANCELLED, alarms.size() / 2)) {
            alarms.removeIf(alarm -> alarm.isCancelled);
            cancelled.set(0);
        }
        Alarm next = alarms.peek();
        while (next != null && (next.isCancelled || next.at - now <= 0)) {
            alarms.poll();
            if (!next.isCancelled && !closed) {
                runGuarded(next.task);
            }
            next = alarms.peek();
        }
    }

    /**
     * Runs a task. A defect in one task must not stop all volumes of a machine; the state of the task's owner shows
     * the failure. An interrupt that the task leaves must not end the next call on the thread.
     */
    private static void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable bug) {
            tell(bug);
        }
        if (Thread.interrupted()) {
            LOG.atDebug().log("a task of an event loop left its thread interrupted");
        }
    }

    /**
     * Logs a defect. Without memory, the log fails too. If that exception ended the thread, it would keep the turn
     * forever.
     */
    private static void tell(Throwable bug) {
        try {
            LOG.atError().setCause(bug).log("event loop task failed");
        } catch (Throwable untold) {
            // the next one is logged, if possible
        }
    }

    /** The loop for the threads of its calls. */
    private final class Shared implements SharedLoop {
        @Override
        public void soon(Runnable wake) {
            ThreadEventLoop.this.soon(wake);
        }

        @Override
        public boolean called() {
            return !closed && turn.called();
        }

        /** A call's own tasks wait for its thread, and no other thread is woken for them. */
        @Override
        public boolean take() {
            return !closed && (turn.called() || !mailbox.isEmpty()) && turn.take();
        }

        @Override
        public void run(Runnable needless) {
            lead(needless);
        }

        @Override
        public void lookAgain() {
            callsWait = true;
            lookBy(nanoTime() + NO_THREAD);
        }

        @Override
        public void wakeOwnThread() {
            LockSupport.unpark(thread);
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
