package io.volume4j.examples.benchmarks.workload;

/**
 * What kind of workload is made.
 *
 * @param pods how many come and go
 * @param volumesPerPod how many each has
 * @param nodes over which they are spread
 * @param shared how many volumes there are in all for pods to share, 0 if every pod has its own
 * @param podsPerSecond at which rate pods come, on average; the times between them are exponential, so that bursts show
 * @param lifetimeNanos how long a pod stays on average
 * @param backendNanos how long every call of the backend takes
 * @param faults which share of operations has a fault, from 0 to 1
 * @param faultNanos how long a fault that delays takes, on average
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
