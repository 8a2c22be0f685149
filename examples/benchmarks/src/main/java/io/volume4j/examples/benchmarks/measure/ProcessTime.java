package io.volume4j.examples.benchmarks.measure;

/** A duration, by the clock and in processor time of the whole process; the latter hardly depends on other processes. */
public record ProcessTime(long wall, long processor) {
    public static ProcessTime now() {
        return new ProcessTime(System.nanoTime(), ProcessorClock.nanos());
    }

    public ProcessTime since(ProcessTime began) {
        return new ProcessTime(wall - began.wall, processor - began.processor);
    }
}
