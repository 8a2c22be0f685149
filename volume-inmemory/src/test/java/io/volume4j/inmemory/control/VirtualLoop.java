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

    /** Runs one thing that is ready; the loop before workers. */
    boolean runOne() {
        Runnable task = mailbox.poll();
        if (task == null) {
            task = workers.poll();
        }
        if (task != null) {
            task.run();
        }
        return task != null;
    }

    void runReady() {
        boolean ran = true;
        while (ran) {
            ran = runOne();
        }
    }

    /** Runs everything, and what falls due within the time. */
    void advance(Duration time) {
        runReady();
        long end = nanos + time.toNanos();
        while (!alarms.isEmpty() && alarms.peek().at() <= end) {
            Alarm alarm = alarms.remove();
            nanos = Math.max(nanos, alarm.at());
            alarm.task().run();
            runReady();
        }
        nanos = end;
    }

    private record Alarm(long at, long number, Runnable task) {}
}
