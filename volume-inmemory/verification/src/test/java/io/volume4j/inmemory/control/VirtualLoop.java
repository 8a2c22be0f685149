package io.volume4j.inmemory.control;

import io.volume4j.core.engine.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;

/** A loop, and workers beside it, that run when the test says so, in virtual time. */
final class VirtualLoop implements EventLoop {
    private final Deque<Runnable> mailbox = new ArrayDeque<>();
    private final Deque<Runnable> workers = new ArrayDeque<>();
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::at).thenComparingLong(Alarm::number));
    private long nanos;
    private long number;
    private boolean dead;

    @Override
    public void execute(Runnable task) {
        if (!dead) {
            mailbox.add(task);
        }
    }

    /** Takes a task for a worker. */
    void work(Runnable task) {
        if (!dead) {
            workers.add(task);
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
        return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(nanos + delay.toNanos(), number++, task);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    }

    /** The process is gone: nothing of it runs any more. */
    void kill() {
        dead = true;
        mailbox.clear();
        workers.clear();
        alarms.clear();
    }

    boolean dead() {
        return dead;
    }

    /** Time goes by while something runs. */
    void pass(Duration time) {
        nanos += time.toNanos();
    }

    /** Runs what is ready. */
    void runReady() {
        advance(Duration.ZERO);
    }

    /** Runs everything that is ready, and what falls due within the time. */
    void advance(Duration time) {
        advance(time, Integer.MAX_VALUE);
    }

    /**
     * The same, but not more than so many tasks.
     *
     * @return how many ran
     */
    int advance(Duration time, int tasks) {
        long end = nanos + time.toNanos();
        int ran = 0;
        while (ran < tasks && runOne(end)) {
            ran++;
        }
        if (ran < tasks) {
            nanos = Math.max(nanos, end);
        }
        return ran;
    }

    /** The loop before workers before timers. */
    private boolean runOne(long end) {
        Runnable task = mailbox.poll();
        if (task == null) {
            task = workers.poll();
        }
        if (task == null && !alarms.isEmpty() && alarms.peek().at() <= end) {
            Alarm alarm = alarms.remove();
            nanos = Math.max(nanos, alarm.at());
            task = alarm.task();
        }
        if (task != null) {
            task.run();
        }
        return task != null;
    }

    private record Alarm(long at, long number, Runnable task) {}
}
