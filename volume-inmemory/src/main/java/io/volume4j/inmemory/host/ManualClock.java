package io.volume4j.inmemory.host;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A clock that advances only when a test advances it. Timers use elapsed time. {@link #step} changes the shown time
 * without elapsed time, as an operator or a time server does. Thread-safe. Timers run on the thread that advances the
 * clock, one after another: by due time, then in the order in which they were set.
 *
 * @since 0.1.0
 */
public final class ManualClock implements InstantSource {
    /** The default start of a clock. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final TreeMap<Due, Runnable> timers = new TreeMap<>();
    private final Instant start;
    private Duration elapsed = Duration.ZERO;
    private Duration offset = Duration.ZERO;
    private long timersSet;

    public ManualClock() {
        this(START);
    }

    public ManualClock(Instant start) {
        this.start = start;
    }

    @Override
    public synchronized Instant instant() {
        return start.plus(elapsed).plus(offset);
    }

    /** The elapsed time since the clock was created, without steps. */
    public synchronized Duration elapsed() {
        return elapsed;
    }

    /** Advances the clock and runs the timers that become due, also those that such timers set. */
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time does not run backwards: " + time + "; use step()");
        }
        Duration end;
        synchronized (this) {
            end = elapsed.plus(time);
            if (timers.isEmpty()) {
                elapsed = end;
                return;
            }
        }
        for (Runnable next = nextUntil(end); next != null; next = nextUntil(end)) {
            next.run();
        }
        synchronized (this) {
            // Another thread may have advanced further meanwhile.
            elapsed = elapsed.compareTo(end) < 0 ? end : elapsed;
        }
    }

    /** Sets the clock forward or back without elapsed time. */
    public synchronized void step(Duration change) {
        offset = offset.plus(change);
    }

    /** Runs the action when this time has elapsed, at the earliest during the next {@link #advance}. */
    public synchronized Timer after(Duration delay, Runnable action) {
        Due due = new Due(elapsed.plus(delay.isNegative() ? Duration.ZERO : delay), timersSet++);
        timers.put(due, action);
        return () -> cancel(due);
    }

    /** The time until the next timer; empty if none is set. */
    public synchronized Optional<Duration> untilNext() {
        return timers.isEmpty()
                ? Optional.empty()
                : Optional.of(timers.firstKey().at.minus(elapsed));
    }

    private synchronized boolean cancel(Due due) {
        return timers.remove(due) != null;
    }

    private synchronized @Nullable Runnable nextUntil(Duration end) {
        if (timers.isEmpty() || timers.firstKey().at.compareTo(end) > 0) {
            return null;
        }
        Due due = timers.firstKey();
        elapsed = due.at.compareTo(elapsed) > 0 ? due.at : elapsed;
        return timers.remove(due);
    }

    /** A scheduled action. */
    public interface Timer {
        /** Cancels the action. Returns whether that prevented it. */
        boolean cancel();
    }

    private record Due(Duration at, long number) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }
}
