package io.volume4j.examples.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * The processor time of threads so far, by their ids. It does not depend on other processes, nor on the time that the threads
 * sleep.
 */
public record ThreadsTime(Map<Long, Long> nanos) {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** The time of all current threads whose names have this prefix. */
    public static ThreadsTime of(String prefix) {
        Map<Long, Long> nanos = new HashMap<>();
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(prefix)) {
                nanos.put(thread.getThreadId(), Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId())));
            }
        }
        return new ThreadsTime(nanos);
    }

    /** The time of the calling thread. */
    public static long ofThis() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** The cost of one read of the calling thread's own time, in nanoseconds. */
    public static double costOfALook() {
        int looks = 20_000;
        long began = ofThis();
        long last = began;
        for (int i = 0; i < looks; i++) {
            last = ofThis();
        }
        return (double) (last - began) / looks;
    }

    /** The time of these threads since then, in nanoseconds, without threads that have ended. */
    public long since(ThreadsTime began) {
        return nanos.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - began.nanos.getOrDefault(thread.getKey(), 0L))
                .sum();
    }
}
