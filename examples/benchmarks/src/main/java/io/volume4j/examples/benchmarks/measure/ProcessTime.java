package io.volume4j.examples.benchmarks.measure;

/**
 * How long something took, by the clock and in processor time of the whole process: the second hardly depends on what else
 * the machine does.
 */
public record ProcessTime(long wall, long processor) {
    public static ProcessTime now() {
        return new ProcessTime(System.nanoTime(), ProcessorClock.nanos());
    }

    public ProcessTime since(ProcessTime began) {
        return new ProcessTime(wall - began.wall, processor - began.processor);
    }
}
