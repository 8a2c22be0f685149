package io.volume4j.inmemory.sim;

import io.volume4j.core.engine.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs everything of a simulated world. Each loop keeps the order of its own tasks; which of several loops or worker calls
 * goes next is decided by the seed. Time moves only when nothing can run. Not thread-safe.
 */
public final class VirtualScheduler {
    private final RandomGenerator random;
    private final Instant start;
    private final List<VirtualLoop> loops = new ArrayList<>();
    private final List<Runnable> calls = new ArrayList<>();
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private long nanos;
    private long alarmsMade;
    private long steps;

    /** A world at the beginning of its time. */
    public VirtualScheduler(long seed, Instant start) {
        this.random = new SplittableRandom(seed);
        this.start = start;
    }

    /** A new loop. */
    public VirtualLoop loop() {
        VirtualLoop loop = new VirtualLoop();
        loops.add(loop);
        return loop;
    }

    /** Threads that run each task at some moment chosen by the seed, in one go. */
    public Executor workers() {
        return calls::add;
    }

    /** A source of randomness of its own for a part of the world. */
    public RandomGenerator random() {
        return new SplittableRandom(random.nextLong());
    }

    /** Time since the beginning. */
    public Duration elapsed() {
        return Duration.ofNanos(nanos);
    }

    public Instant now() {
        return start.plusNanos(nanos);
    }

    /** Tasks run so far. */
    public long steps() {
        return steps;
    }

    /** Runs one task that can run now; false if there is none. */
    public boolean step() {
        List<VirtualLoop> ready = new ArrayList<>();
        for (VirtualLoop loop : loops) {
            if (!loop.mailbox.isEmpty()) {
                ready.add(loop);
            }
        }
        int choices = ready.size() + calls.size();
        if (choices == 0) {
            return false;
        }
        int chosen = random.nextInt(choices);
        Runnable task =
                chosen < ready.size() ? ready.get(chosen).mailbox.remove() : calls.remove(chosen - ready.size());
        steps++;
        task.run();
        return true;
    }

    /** Runs what can run without time passing. */
    public void runReady() {
        while (step()) {
            // Each step may make more.
        }
    }

    /** Lets time pass, running what falls due on the way. */
    public void advance(Duration time) {
        long end = nanos + time.toNanos();
        runReady();
        @Nullable Alarm next = nextUntil(end);
        while (next != null) {
            nanos = Math.max(nanos, next.at);
            next.task.run();
            runReady();
            next = nextUntil(end);
        }
        nanos = end;
    }

    private @Nullable Alarm nextUntil(long end) {
        Alarm next = alarms.peek();
        while (next != null && next.cancelled) {
            alarms.poll();
            next = alarms.peek();
        }
        return next != null && next.at <= end ? alarms.poll() : null;
    }

    /** A loop in virtual time. */
    public final class VirtualLoop implements EventLoop {
        private final Deque<Runnable> mailbox = new ArrayDeque<>();
        private boolean dead;

        private VirtualLoop() {}

        /** The process of this loop dies: what was posted is lost, and nothing runs on it any more. */
        public void kill() {
            dead = true;
            mailbox.clear();
            loops.remove(this);
        }

        @Override
        public void execute(Runnable task) {
            if (!dead) {
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
            Alarm alarm = new Alarm(nanos + delay.toNanos(), alarmsMade++, () -> execute(task));
            alarms.add(alarm);
            return () -> alarm.cancelled = true;
        }
    }

    private static final class Alarm implements Comparable<Alarm> {
        private final long at;
        private final long number;
        private final Runnable task;
        private boolean cancelled;

        Alarm(long at, long number, Runnable task) {
            this.at = at;
            this.number = number;
            this.task = task;
        }

        @Override
        public int compareTo(Alarm other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }
}
