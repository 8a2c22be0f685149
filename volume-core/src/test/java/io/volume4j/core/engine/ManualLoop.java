package io.volume4j.core.engine;

import io.volume4j.spi.host.Instrumentation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** A loop and its workers that run when the test says so, in virtual time. */
public final class ManualLoop implements EventLoop {
    private final Deque<Runnable> mailbox = new ArrayDeque<>();
    private final List<Alarm> alarms = new ArrayList<>();
    private long nanos;
    private Instrumentation instrumentation = Instrumentation.none();

    ManualLoop instrumentation(Instrumentation value) {
        instrumentation = value;
        return this;
    }

    @Override
    public Instrumentation instrumentation() {
        return instrumentation;
    }

    @Override
    public void execute(Runnable task) {
        mailbox.add(task);
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
        Alarm alarm = new Alarm(nanos + delay.toNanos(), task);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    }

    /** Runs what was posted, and what that posts. */
    public ManualLoop run() {
        for (Runnable task = mailbox.poll(); task != null; task = mailbox.poll()) {
            task.run();
        }
        return this;
    }

    /** Lets time pass, running what falls due on the way. */
    public ManualLoop advance(Duration time) {
        run();
        long end = nanos + time.toNanos();
        Optional<Alarm> next = nextUntil(end);
        while (next.isPresent()) {
            Alarm alarm = next.get();
            alarms.remove(alarm);
            nanos = Math.max(nanos, alarm.at());
            alarm.task().run();
            run();
            next = nextUntil(end);
        }
        nanos = end;
        return this;
    }

    public int timers() {
        return alarms.size();
    }

    private Optional<Alarm> nextUntil(long end) {
        return alarms.stream().filter(alarm -> alarm.at() <= end).min(Comparator.comparingLong(Alarm::at));
    }

    private record Alarm(long at, Runnable task) {}
}
