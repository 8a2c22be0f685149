package io.volume4j.examples.agent.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How fast one client may ask: a token bucket, and the pauses that the server asks for ({@code 429} with {@code Retry-After}).
 * What waited for the end of a pause is then sent one after the other, twice as slowly as before, and faster with each answer:
 * all at once they would be refused again. Requests are sent in the order in which they came. Urgent ones, such as the renewal
 * of a lease, wait for nothing. Thread-safe.
 */
final class Pace {
    /** A longer pause is cut to this: a server that asks for an hour is asked again before. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** The slowest pace, after however many refusals: five requests a second. */
    private static final double SLOWEST = TimeUnit.MILLISECONDS.toNanos(200);

    private static final double SLOWER = 2;
    private static final double FASTER = 0.95;

    private final double nanosPerRequest;
    private final long burst;
    private final LongSupplier nanos;
    private final Semaphore turn = new Semaphore(1, true);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** When the bucket is full again, on the clock. */
    private long fullAt;

    /** Before this, on the clock, only urgent requests are sent. */
    private long pausedUntil;

    /** In nanoseconds, at least, between two requests; {@code nanosPerRequest} while the bucket alone counts. */
    private double interval;

    /** When the latest request was sent, on the clock. */
    private long sentAt;

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
        sentAt = now;
        interval = nanosPerRequest;
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
            if (!turn.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IOException("not sent: others were before it for " + atMost.toMillis() + " ms");
            }
            try {
                awaitNext(end);
            } finally {
                turn.release();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private void awaitNext(long end) throws IOException, InterruptedException {
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
            sentAt = now;
        } finally {
            lock.unlock();
        }
    }

    private long untilNext() {
        long now = nanos.getAsLong();
        long bucket = fullAt - now - (long) ((burst - 1) * nanosPerRequest);
        long afterTheLast = interval > nanosPerRequest ? sentAt + (long) interval - now : 0;
        return Math.max(pausedUntil - now, Math.max(bucket, afterTheLast));
    }

    /** The server answered, and did not ask for a pause. */
    void answered() {
        lock.lock();
        try {
            interval = Math.max(nanosPerRequest, interval * FASTER);
        } finally {
            lock.unlock();
        }
    }

    /** The server asked for a pause. */
    void pause(Duration asked) {
        Duration held = asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
        lock.lock();
        try {
            long now = nanos.getAsLong();
            if (now - pausedUntil >= 0) {
                // Others that were sent before the pause are refused as well, and say nothing new.
                interval = Math.min(SLOWEST, interval * SLOWER);
            }
            long until = now + held.toNanos();
            if (until - pausedUntil > 0) {
                pausedUntil = until;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
