package io.volume4j.ui.web;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the time of reads and writes that wait for the other side. Interrupting a thread that blocks on a channel closes the
 * channel; the thread can then serve other requests. Thread-safe.
 */
final class WriteLimit implements AutoCloseable {
    private final ScheduledThreadPoolExecutor timer;
    private final Duration most;

    /** @param most time for each block */
    WriteLimit(Duration most, ThreadFactory threads) {
        this.most = most;
        this.timer = new ScheduledThreadPoolExecutor(1, threads);
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Reads or writes. */
    interface Block<T> {
        T run() throws IOException;
    }

    /** Writes. */
    interface Write {
        void run() throws IOException;
    }

    void write(Write write) throws IOException {
        var unused = within(() -> {
            write.run();
            return Boolean.TRUE;
        });
    }

    /**
     * Runs the block in this thread, and interrupts the thread after the limit. The interrupt never remains after the block.
     *
     * @throws IOException if the block throws one, or if this is closed: the connection then ends, too
     */
    <T> T within(Block<T> block) throws IOException {
        Interrupt interrupt = new Interrupt(Thread.currentThread());
        var due = due(interrupt);
        try {
            return block.run();
        } finally {
            due.cancel(false);
            interrupt.end();
        }
    }

    private Future<?> due(Interrupt interrupt) throws IOException {
        try {
            return timer.schedule(interrupt, most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            throw new IOException("the server was closed", closed);
        }
    }

    /** Interrupts the thread unless the block has ended. */
    private static final class Interrupt implements Runnable {
        private final ReentrantLock lock = new ReentrantLock();
        private final Thread thread;
        private boolean ended;
        private boolean sent;

        private Interrupt(Thread thread) {
            this.thread = thread;
        }

        @Override
        public void run() {
            lock.lock();
            try {
                if (!ended) {
                    sent = true;
                    thread.interrupt();
                }
            } finally {
                lock.unlock();
            }
        }

        private void end() {
            lock.lock();
            try {
                ended = true;
                if (sent) {
                    var unused = Thread.interrupted();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
