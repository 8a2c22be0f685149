package io.volume4j.examples.benchmarks.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/** The resources that this process uses between two times. Does not count bytes of threads that ended in between. */
public final class Meter {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long wall = System.nanoTime();
    private final long cpu = ProcessorClock.nanos();
    private final Map<Long, Long> allocated = allocated();

    /**
     * The used resources.
     *
     * @param cpuNanos of all threads together
     */
    public record Reading(long wallNanos, long cpuNanos, long allocatedBytes) {}

    private Meter() {}

    public static Meter start() {
        return new Meter();
    }

    public Reading stop() {
        long bytes = 0;
        for (Map.Entry<Long, Long> thread : allocated().entrySet()) {
            bytes += thread.getValue() - allocated.getOrDefault(thread.getKey(), 0L);
        }
        return new Reading(System.nanoTime() - wall, ProcessorClock.nanos() - cpu, bytes);
    }

    private static Map<Long, Long> allocated() {
        long[] ids = THREADS.getAllThreadIds();
        long[] bytes = THREADS.getThreadAllocatedBytes(ids);
        Map<Long, Long> byThread = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0) {
                byThread.put(ids[i], bytes[i]);
            }
        }
        return byThread;
    }
}
