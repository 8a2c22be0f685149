package io.volume4j.examples.benchmarks.measure;

import java.lang.management.ManagementFactory;

/**
 * How long something took, by the clock and in processor time of the whole process: the second hardly depends on what else
 * the machine does.
 */
public record ProcessTime(long wall, long processor) {
    public static ProcessTime now() {
        long processor =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                        ? os.getProcessCpuTime()
                        : 0;
        return new ProcessTime(System.nanoTime(), processor);
    }

    public ProcessTime since(ProcessTime began) {
        return new ProcessTime(wall - began.wall, processor - began.processor);
    }
}
