package io.volume4j.examples.benchmarks.workload;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An implementation that a workload is played against. */
interface Target extends AutoCloseable {
    /** Makes what there must be before a pod comes: its node and its volumes. Not counted. */
    void prepare(String node, List<String> volumes);

    /** A pod wants the volumes; completes when the pod's owner sees all of them. */
    CompletableFuture<?> mount(String pod, String node, List<String> volumes);

    /** The pod is gone; completes when its owner sees that nothing of it is mounted. */
    CompletableFuture<?> unmount(String pod, String node);

    @Override
    void close();
}
