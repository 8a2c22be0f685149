package io.volume4j.ui.web;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The newest summary, for all streams. Each stream takes the newest when it is ready. So a slow viewer misses summaries, but delays no
 * other viewer and uses no memory. Thread-safe.
 */
final class Stream {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private byte[] newest = new byte[0];
    private long number;
    private boolean closed;

    /** A summary and its number. */
    static final class Next {
        private final long number;
        private final byte[] summary;

        private Next(long number, byte[] summary) {
            this.number = number;
            this.summary = summary;
        }

        /** Grows with each summary; 0 after the time limit. */
        long number() {
            return number;
        }

        void writeTo(OutputStream out) throws IOException {
            out.write(summary);
        }
    }

    void publish(byte[] summary) {
        lock.lock();
        try {
            newest = summary;
            number++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a summary with a higher number. */
    Next after(long seen, long millis) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(millis);
            while (number <= seen && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return number > seen ? new Next(number, newest) : new Next(0, new byte[0]);
        } finally {
            lock.unlock();
        }
    }
}
