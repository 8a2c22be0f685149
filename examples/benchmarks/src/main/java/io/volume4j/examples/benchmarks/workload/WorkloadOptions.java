package io.volume4j.examples.benchmarks.workload;

/**
 * The options of a workload.
 *
 * @param pods the number of pods
 * @param volumesPerPod the number of volumes of each pod
 * @param nodes the number of nodes
 * @param shared the number of volumes that all pods share, 0 if every pod has its own
 * @param podsPerSecond average rate of new pods; the times between them are exponential, so that there are bursts
 * @param lifetimeNanos average lifetime of a pod
 * @param backendNanos duration of every call of the backend
 * @param faults share of operations with a fault, from 0 to 1
 * @param faultNanos average additional duration of a delay fault
 */
record WorkloadOptions(
        long seed,
        int pods,
        int volumesPerPod,
        int nodes,
        int shared,
        double podsPerSecond,
        long lifetimeNanos,
        long backendNanos,
        double faults,
        long faultNanos) {
    WorkloadOptions {
        if (pods < 1 || volumesPerPod < 1 || nodes < 1) {
            throw new WorkloadException("pods, volumes per pod and nodes must be 1 or more");
        }
        if (shared != 0 && shared < volumesPerPod) {
            throw new WorkloadException(
                    "a pod needs " + volumesPerPod + " different volumes, and only " + shared + " are shared");
        }
        if (!(podsPerSecond > 0) || !(faults >= 0 && faults <= 1)) {
            throw new WorkloadException("the rate must be above 0, the share of faults from 0 to 1");
        }
        if (lifetimeNanos < 0 || backendNanos < 0 || faultNanos < 0) {
            throw new WorkloadException("times must not be negative");
        }
    }
}
