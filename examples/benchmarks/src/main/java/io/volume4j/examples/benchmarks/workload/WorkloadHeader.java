package io.volume4j.examples.benchmarks.workload;

/**
 * The first line of a workload.
 *
 * @param seed what it was made from, for people
 * @param backendNanos how long every call of the backend takes
 */
record WorkloadHeader(long seed, long backendNanos) {
    static final String FORMAT = "volume4j-workload";
    static final int VERSION = 1;
}
