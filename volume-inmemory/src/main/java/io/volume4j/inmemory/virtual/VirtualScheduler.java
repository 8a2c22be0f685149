package io.volume4j.inmemory.virtual;

import io.volume4j.core.engine.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs everything in a simulated world. Each loop keeps the order of its own tasks. The seed decides which loop or worker
 * call runs next. Time passes only when no task can run. Not thread-safe.
 */
public final class VirtualScheduler {
    /** In a small world this many tasks within a second are an endless loop. */
    private static final long MOST_PER_SECOND = 200_000;
    /** After this many tasks within a second, calls begin to take time, as real calls do. */
    private static final long SOON = 3_000;

    private static final long SECOND = 1_000_000_000L;

    private final RandomGenerator random;
    private final Instant start;
    /** Loops with tasks to run. */
    private final List<VirtualLoop> ready = new ArrayList<>();

    private final List<Runnable> calls = new ArrayList<>();
    private final Executor workers = calls::add;
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private Consumer<Duration> onTime = passed -> {};
    private Runnable afterStep = () -> {};
    private long nanos;
    private long alarmsMade;
    private long steps;
    private long stepsOfThisSecond;
    private long most = Long.MAX_VALUE;
    private long mostPerSecond = MOST_PER_SECOND;
    private boolean stopped;
    private boolean inOrder;
    private long hash = 0x9E3779B97F4A7C15L;

    /** A world at the start of its time. */
    public VirtualScheduler(long seed, Instant start) {
        this.random = new SplittableRandom(seed);
        this.start = start;
    }

    /** A new loop. */
    public VirtualLoop loop() {
        return new VirtualLoop();
    }

    /** Worker threads that run each task completely, at a time that the seed chooses. */
    public Executor workers() {
        return workers;
    }

    /** Runs the task after the delay, in an order that the seed chooses among all tasks that can run then. */
    public void later(Duration delay, Runnable task) {
        alarms.add(new Alarm(nanos + delay.toNanos(), alarmsMade++, null, task));
    }

    /** A separate source of randomness for a part of the world. */
    public RandomGenerator random() {
        return new SplittableRandom(random.nextLong());
    }

    /** Time since the start. */
    public Duration elapsed() {
        return Duration.ofNanos(nanos);
    }

    /** The same in nanoseconds. */
    public long nanos() {
        return nanos;
    }

    public Instant now() {
        return start.plusNanos(nanos);
    }

    /** The number of tasks so far. */
    public long steps() {
        return steps;
    }

    /** A hash over all choices and their times; equal runs have equal hashes. */
    public long hash() {
        return hash;
    }

    /** Whether there were so many tasks in this second that calls take time now. */
    public boolean busy() {
        return stepsOfThisSecond > SOON;
    }

    /** Stops the world: no task runs and no time passes any more. */
    public void stop() {
        stopped = true;
    }

    /** Always runs the first task that can run. */
    public void inOrder() {
        inOrder = true;
    }

    public boolean stopped() {
        return stopped;
    }

    /** Sets the limit for the tasks of the world; the run fails beyond it. */
    public void mostSteps(long steps) {
        most = steps;
    }

    /** Sets the number of tasks within one second that counts as an endless loop; the default is for a small world. */
    public void mostStepsPerSecond(long steps) {
        mostPerSecond = steps;
    }

    /** Called when time passes, before the due tasks run. */
    public void onTime(Consumer<Duration> listener) {
        onTime = listener;
    }

    /** Called after each task. */
    public void afterStep(Runnable listener) {
        afterStep = listener;
    }

    /** Runs one task; false if none can run now. */
    public boolean step() {
        int choices = ready.size() + calls.size();
        if (choices == 0 || stopped) {
            return false;
        }
        int chosen = choices == 1 || inOrder ? 0 : random.nextInt(choices);
        Runnable task = chosen < ready.size() ? takeOfLoop(chosen) : takeCall(chosen - ready.size());
        steps++;
        if (++stepsOfThisSecond > mostPerSecond) {
            throw new IllegalStateException(mostPerSecond + " tasks in a second: something goes in a circle");
        }
        if (steps > most) {
            throw new IllegalStateException("after " + most + " tasks there is no end: something goes in a circle");
        }
        mix((long) choices << 32 | chosen);
        task.run();
        afterStep.run();
        return true;
    }

    /** The order of loops must stay, because it affects the next choices of the seed. */
    private Runnable takeOfLoop(int index) {
        VirtualLoop loop = ready.get(index);
        Runnable task = loop.mailbox.remove();
        if (loop.mailbox.isEmpty()) {
            ready.remove(index);
        }
        return task;
    }

    /** The last call replaces the chosen one: the order of calls has no meaning. */
    private Runnable takeCall(int index) {
        Runnable last = calls.remove(calls.size() - 1);
        return index == calls.size() ? last : calls.set(index, last);
    }

    private void mix(long value) {
        long mixed = (hash ^ value ^ nanos) * 0xBF58476D1CE4E5B9L;
        hash = mixed ^ (mixed >>> 31);
    }

    /** Runs all tasks that can run without time. */
    public void runReady() {
        while (step()) {
            // Each step may add tasks.
        }
    }

    /** Lets time pass, and runs the tasks that become due. */
    public void advance(Duration time) {
        long end = nanos + time.toNanos();
        runReady();
        while (toNextAlarm(end)) {
            runReady();
        }
        passTo(end);
    }

    /**
     * Runs one task, or lets time pass to the next due task, but not beyond this time.
     *
     * @return whether anything was done
     */
    public boolean stepUntil(Duration moment) {
        return step() || toNextAlarm(moment.toNanos());
    }

    /** Lets time pass to the next due task within this time, and runs all that follows; false if there is none. */
    public boolean passToNext(Duration moment) {
        boolean passed = stepUntil(moment);
        runReady();
        return passed;
    }

    /** Runs until no task is left, within the limit; returns whether that was reached. */
    public boolean settle(Duration most) {
        Duration end = elapsed().plus(most);
        while (stepUntil(end)) {
            // Runs everything that becomes due.
        }
        return nextDue() == null;
    }

    /** The value of a future that needs no time. */
    public <T> T get(CompletableFuture<T> future) {
        while (!future.isDone() && step()) {
            // Runs tasks until the future is done.
        }
        if (!future.isDone()) {
            throw new IllegalStateException("not done without time passing: " + future);
        }
        return future.join();
    }

    /** Lets time pass to the next alarm, and makes its task ready to run; false if there is none. */
    private boolean toNextAlarm(long end) {
        Alarm next = nextUntil(end);
        if (next == null || stopped) {
            return false;
        }
        passTo(next.at);
        if (next.loop == null) {
            calls.add(next.task);
        } else {
            next.loop.execute(next.task);
        }
        return true;
    }

    /** The time of the next task: now, later, or null for never. */
    @Nullable
    public Duration nextDue() {
        if (!ready.isEmpty() || !calls.isEmpty()) {
            return elapsed();
        }
        Alarm next = firstAlarm();
        return next == null ? null : Duration.ofNanos(Math.max(next.at, nanos));
    }

    private void passTo(long moment) {
        if (moment > nanos) {
            Duration passed = Duration.ofNanos(moment - nanos);
            stepsOfThisSecond = nanos / SECOND == moment / SECOND ? stepsOfThisSecond : 0;
            nanos = moment;
            onTime.accept(passed);
        }
    }

    private @Nullable Alarm nextUntil(long end) {
        Alarm next = firstAlarm();
        return next != null && next.at <= end ? alarms.poll() : null;
    }

    private @Nullable Alarm firstAlarm() {
        Alarm next = alarms.peek();
        while (next != null && next.cancelled) {
            alarms.poll();
            next = alarms.peek();
        }
        return next;
    }

    /** A loop in virtual time. */
    public final class VirtualLoop implements EventLoop {
        private final Deque<Runnable> mailbox = new ArrayDeque<>();
        private boolean dead;

        private VirtualLoop() {}

        /** Ends this loop with its process: posted tasks are lost, and nothing more runs. */
        public void kill() {
            dead = true;
            mailbox.clear();
            ready.remove(this);
        }

        @Override
        public void execute(Runnable task) {
            if (!dead) {
                if (mailbox.isEmpty()) {
                    ready.add(this);
                }
                mailbox.add(task);
            }
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public Instant now() {
            return VirtualScheduler.this.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            Alarm alarm = new Alarm(nanos + delay.toNanos(), alarmsMade++, this, task);
            if (!dead) {
                alarms.add(alarm);
            }
            return alarm;
        }
    }

    /** A task with a due time, on a loop or, without one, on a worker. */
    private static final class Alarm implements Comparable<Alarm>, EventLoop.Timer {
        private final long at;
        private final long number;
        private final @Nullable VirtualLoop loop;
        private final Runnable task;
        private boolean cancelled;

        Alarm(long at, long number, @Nullable VirtualLoop loop, Runnable task) {
            this.at = at;
            this.number = number;
            this.loop = loop;
            this.task = task;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Alarm other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }
}
