package io.volume4j.core.journal;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs what it was given when the test says so, on the test's own thread. */
final class ManualExecutor implements Executor {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean refusing;

    @Override
    public void execute(Runnable task) {
        if (refusing) {
            throw new RejectedExecutionException("shut down");
        }
        tasks.add(task);
    }

    void refuse() {
        refusing = true;
    }

    int pending() {
        return tasks.size();
    }

    void runOne() {
        tasks.remove().run();
    }

    void runAll() {
        while (!tasks.isEmpty()) {
            runOne();
        }
    }
}
