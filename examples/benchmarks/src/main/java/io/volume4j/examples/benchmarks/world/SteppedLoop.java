package io.volume4j.examples.benchmarks.world;

import io.volume4j.core.engine.EventLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Loop and workers on one thread, with timers that the benchmark lets pass. */
public final class SteppedLoop implements EventLoop {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final ArrayDeque<Runnable> calls = new ArrayDeque<>();
    private final PriorityQueue<Alarm> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Alarm::at).thenComparingLong(Alarm::number));
    private long passed;
    private long number;

    private record Alarm(long at, long number, Runnable task) {}

    public void work(Runnable call) {
        calls.add(call);
    }

    public void runReady() {
        do {
            runUntilCalls();
            Runnable call = calls.poll();
            if (call != null) {
                call.run();
            }
        } while (!tasks.isEmpty() || !calls.isEmpty());
    }

    /** Makes all decisions, and no call. */
    public void runUntilCalls() {
        Runnable task = tasks.poll();
        while (task != null) {
            task.run();
            task = tasks.poll();
        }
    }

    public int dropCalls() {
        int dropped = calls.size();
        calls.clear();
        return dropped;
    }

    public void pass(Duration time) {
        long end = passed + time.toNanos();
        while (!alarms.isEmpty() && alarms.peek().at() <= end) {
            Alarm alarm = alarms.remove();
            passed = Math.max(passed, alarm.at());
            alarm.task().run();
            runReady();
        }
        passed = end;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public long nanoTime() {
        return passed;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(passed);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(passed + delay.toNanos(), number++, task);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    }
}
