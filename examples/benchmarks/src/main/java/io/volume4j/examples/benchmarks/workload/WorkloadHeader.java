package io.volume4j.examples.benchmarks.workload;

/**
 * The first line of a workload.
 *
 * @param seed of the generator, for readers
 * @param backendNanos duration of every call of the backend
 */
record WorkloadHeader(long seed, long backendNanos) {
    static final String FORMAT = "volume4j-workload";
    static final int VERSION = 1;
}
