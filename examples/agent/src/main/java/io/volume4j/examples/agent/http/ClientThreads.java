package io.volume4j.examples.agent.http;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one HTTP client. They send requests, and read bodies for other threads. A thread without other work reads its body
 * itself. Otherwise a watch would use two threads: one that waits for the server, and one that waits for the first.
 */
final class ClientThreads extends ThreadPoolExecutor {
    private static final long IDLE_SECONDS = 10;

    /** The threads inside {@link #here}. */
    private final Set<Thread> readers = new HashSet<>();

    ClientThreads() {
        super(0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>());
        setThreadFactory(task -> new Own(task, this));
    }

    private static final class Own extends Thread {
        private final ClientThreads client;

        Own(Runnable task, ClientThreads client) {
            super(task, "api-call");
            setDaemon(true);
            this.client = client;
        }
    }

    /** Whether the calling thread is one of these. */
    boolean own() {
        return Thread.currentThread() instanceof Own thread && thread.client == this;
    }

    /**
     * Runs the task. Tasks that it submits to this executor also run on the calling thread, until the client is closed.
     *
     * @throws RejectedExecutionException if the client has been closed
     */
    void here(Runnable task) {
        Thread reader = Thread.currentThread();
        synchronized (readers) {
            if (isShutdown()) {
                throw new RejectedExecutionException("the client has been closed");
            }
            readers.add(reader);
        }
        try {
            task.run();
        } finally {
            synchronized (readers) {
                readers.remove(reader);
            }
            if (isShutdown()) {
                // the interrupt was for this read
                Thread.interrupted();
            }
        }
    }

    @Override
    public void execute(Runnable task) {
        boolean reads;
        synchronized (readers) {
            reads = readers.contains(Thread.currentThread());
        }
        if (reads) {
            task.run();
        } else {
            super.execute(task);
        }
    }

    /** Also ends the reads on other threads. */
    @Override
    public List<Runnable> shutdownNow() {
        List<Runnable> left = super.shutdownNow();
        synchronized (readers) {
            readers.forEach(Thread::interrupt);
        }
        return left;
    }
}
