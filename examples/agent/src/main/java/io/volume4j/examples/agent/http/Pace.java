package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How fast one client may ask: a token bucket, and the pauses that the server asks for ({@code 429} with {@code Retry-After}).
 * Urgent requests, such as the renewal of a lease, do not wait for either. Thread-safe.
 */
final class Pace {
    /** A longer pause is cut to this: a server that asks for an hour is asked again before. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final double nanosPerRequest;
    private final long burst;
    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition changed = lock.newCondition();

    /** When the bucket is full again, on the clock. */
    private long fullAt;

    /** Before this, on the clock, only urgent requests are sent. */
    private long pausedUntil;

    /**
     * @param perSecond requests a second in the long run
     * @param burst requests at once after a rest
     * @param nanos a clock that never goes back
     */
    Pace(double perSecond, int burst, LongSupplier nanos) {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException("a pace needs more than 0 requests a second and a burst of at least 1");
        }
        this.nanosPerRequest = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.burst = burst;
        this.nanos = nanos;
        long now = nanos.getAsLong();
        fullAt = now;
        pausedUntil = now;
    }

    /**
     * Returns when the next request may be sent.
     *
     * @throws IOException if that would take longer than {@code atMost}; the request was not sent
     */
    void await(boolean urgent, Duration atMost) throws IOException {
        if (urgent) {
            return;
        }
        long end = nanos.getAsLong() + atMost.toNanos();
        try {
            lock.lockInterruptibly();
            try {
                for (long wait = untilNext(); wait > 0; wait = untilNext()) {
                    if (nanos.getAsLong() + wait - end > 0) {
                        throw new IOException("not sent: this client has to wait for another "
                                + Duration.ofNanos(wait).toMillis() + " ms before its next request");
                    }
                    changed.awaitNanos(wait);
                }
                long now = nanos.getAsLong();
                fullAt = (fullAt - now > 0 ? fullAt : now) + (long) nanosPerRequest;
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private long untilNext() {
        long now = nanos.getAsLong();
        long bucket = fullAt - now - (long) ((burst - 1) * nanosPerRequest);
        return Math.max(pausedUntil - now, bucket);
    }

    /** The server asked for a pause. */
    void pause(Duration asked) {
        Duration held = asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
        lock.lock();
        try {
            long until = nanos.getAsLong() + held.toNanos();
            if (until - pausedUntil > 0) {
                pausedUntil = until;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
