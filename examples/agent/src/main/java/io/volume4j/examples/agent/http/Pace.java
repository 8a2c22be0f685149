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
 * The request rate of one client: a token bucket, and the pauses that the server requires ({@code 429} with
 * {@code Retry-After}). After a pause the client sends the waiting requests one by one, at half the earlier rate, and faster
 * with each answer. The server would refuse them again if they came together. The order of requests is kept. Urgent requests,
 * such as the renewal of a lease, never wait. Thread-safe.
 */
final class Pace {
    /** Limit for pauses: the client tries again earlier if a server requires an hour. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    /** The lowest rate after any number of refusals: five requests a second. */
    private static final double SLOWEST = TimeUnit.MILLISECONDS.toNanos(200);

    private static final double SLOWER = 2;
    private static final double FASTER = 0.95;

    private final double nanosPerRequest;
    private final long burst;
    private final LongSupplier nanos;
    private final Semaphore turn = new Semaphore(1, true);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** The clock time at which the bucket is full again. */
    private long fullAt;

    /** Before this clock time the client sends only urgent requests. */
    private long pausedUntil;

    /** The shortest time between two requests, in nanoseconds; {@code nanosPerRequest} while only the bucket limits. */
    private double interval;

    /** The clock time of the last request. */
    private long sentAt;

    /** @param nanos a monotonic clock */
    Pace(RequestRate rate, LongSupplier nanos) {
        this.nanosPerRequest = TimeUnit.SECONDS.toNanos(1) / rate.perSecond();
        this.burst = rate.burst();
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
     * @throws IOException if that would take longer than {@code atMost}; then the request must not be sent
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

    /** Records an answer that requires no pause. */
    void answered() {
        lock.lock();
        try {
            interval = Math.max(nanosPerRequest, interval * FASTER);
        } finally {
            lock.unlock();
        }
    }

    /** Records an answer that requires a pause. */
    void pause(Duration asked) {
        Duration held = asked.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : asked;
        lock.lock();
        try {
            long now = nanos.getAsLong();
            if (now - pausedUntil >= 0) {
                // The server also refuses the other requests that were sent before the pause; those do not lower the
                // rate
                // again.
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
