package io.volume4j.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;

/**
 * An executor that has no thread for some of the tasks that it is given, counted from 1, and says so in one of the ways in which
 * executors do: it throws, and has lost the task, or kept it, or run it. The others go to the executor behind it. Not thread-safe.
 */
public final class ScarceThreads implements Executor {
    /** What is thrown. */
    public enum Says {
        NO_NATIVE_THREAD,
        REJECTED,
        STACK_OVERFLOW,
        NO_CLASS,
        SECURITY,
        OTHER_ERROR;

        void say() {
            switch (this) {
                case NO_NATIVE_THREAD -> throw new OutOfMemoryError("unable to create native thread");
                case REJECTED -> throw new RejectedExecutionException("the pool is full");
                case STACK_OVERFLOW -> throw new StackOverflowError();
                case NO_CLASS -> throw new NoClassDefFoundError("PoolThread");
                case SECURITY -> throw new SecurityException("modifyThreadGroup");
                case OTHER_ERROR -> throw new Error("of some kind");
            }
        }
    }

    /** What becomes of a task for which there is no thread. */
    public enum Fate {
        LOST,
        KEPT,
        RUN
    }

    /**
     * When there are no threads.
     *
     * @param from the first submission, counted from 1, for which there is none
     * @param count of submissions for which there is none
     */
    public record Shortage(Says says, Fate fate, int from, int count) {
        /** Every way to fail, at each of the first submissions, once and for a while. */
        public static Stream<Shortage> all(int submissions) {
            List<Shortage> all = new ArrayList<>();
            for (Says says : Says.values()) {
                for (Fate fate : Fate.values()) {
                    for (int from = 1; from <= submissions; from++) {
                        all.add(new Shortage(says, fate, from, 1));
                        all.add(new Shortage(says, fate, from, 3));
                    }
                }
            }
            return all.stream();
        }

        boolean holds(int submission) {
            return submission >= from && submission < from + count;
        }
    }

    private final Executor behind;
    private final Shortage shortage;
    private int submissions;

    public ScarceThreads(Executor behind, Shortage shortage) {
        this.behind = behind;
        this.shortage = shortage;
    }

    @Override
    public void execute(Runnable task) {
        submissions++;
        if (!shortage.holds(submissions)) {
            behind.execute(task);
            return;
        }
        switch (shortage.fate()) {
            case LOST -> {}
            case KEPT -> behind.execute(task);
            case RUN -> task.run();
        }
        shortage.says().say();
    }

    /** Tasks that it was given so far. */
    public int submissions() {
        return submissions;
    }

    /** Whether there will be a thread for each task from now on. */
    public boolean over() {
        return submissions >= shortage.from() + shortage.count() - 1;
    }
}
