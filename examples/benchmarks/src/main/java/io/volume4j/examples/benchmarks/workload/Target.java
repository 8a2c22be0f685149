package io.volume4j.examples.benchmarks.workload;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An implementation for which a workload is played. */
interface Target extends AutoCloseable {
    /** Creates what a pod needs: its node and its volumes. Not measured. */
    void prepare(String node, List<String> volumes);

    /** Adds a pod with the volumes; completes when the pod's owner sees all of them mounted. */
    CompletableFuture<?> mount(String pod, String node, List<String> volumes);

    /** Removes the pod; completes when its owner sees that none of its volumes is mounted. */
    CompletableFuture<?> unmount(String pod, String node);

    @Override
    void close();
}
