package io.volume4j.examples.benchmarks.measure;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

/**
 * The processor time that threads have taken so far, by their ids: what they did, whatever else the machine did meanwhile and
 * however long they slept.
 */
public record ThreadsTime(Map<Long, Long> nanos) {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Of those threads that there are now whose names begin so. */
    public static ThreadsTime of(String prefix) {
        Map<Long, Long> nanos = new HashMap<>();
        for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith(prefix)) {
                nanos.put(thread.getThreadId(), Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId())));
            }
        }
        return new ThreadsTime(nanos);
    }

    /** Of the calling thread. */
    public static long ofThis() {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** What a look at the calling thread's own time takes of it, in nanoseconds. */
    public static double costOfALook() {
        int looks = 20_000;
        long began = ofThis();
        long last = began;
        for (int i = 0; i < looks; i++) {
            last = ofThis();
        }
        return (double) (last - began) / looks;
    }

    /** What these have taken since then, in nanoseconds; those that have ended are not known any more. */
    public long since(ThreadsTime began) {
        return nanos.entrySet().stream()
                .mapToLong(thread -> thread.getValue() - began.nanos.getOrDefault(thread.getKey(), 0L))
                .sum();
    }
}
