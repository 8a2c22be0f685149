package io.volume4j.core.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** Worker threads that run when the test says so. */
public final class ManualWorkers implements Executor {
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    public int waiting() {
        return tasks.size();
    }

    public void runNext() {
        tasks.remove().run();
    }

    public void runAll() {
        while (!tasks.isEmpty()) {
            runNext();
        }
    }

    /** Takes a task away, as a thread that hangs in it; running it later is its return. */
    public Runnable hang() {
        return tasks.remove();
    }
}
