package io.volume4j.core.node;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.spi.VolumeException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The agent of a node as a simulator runs and observes it. */
public interface NodeReconciler {
    /**
     * Opens the journal, finds out what an earlier run left, and begins to reconcile. Blocks for disk and kernel; not to be
     * called on the loop. Fails if the agent is closed, before or meanwhile; it holds nothing then.
     *
     * @throws VolumeException if the journal cannot be opened or the machine cannot be read
     */
    CompletableFuture<Void> start();

    /** Completes when all volumes that the pod uses are mounted; fails early with what will not mend itself. */
    CompletableFuture<MountedPod> whenMounted(String podUid);

    /**
     * Why the pod's volumes are as they are.
     *
     * @param subject what to call the pod
     */
    CompletableFuture<Explanation> explainPod(String podUid, String subject);

    /** Completes with whether nothing is to be done and nothing is under way. */
    CompletableFuture<Boolean> quiet();

    /** What the agent believes; on the loop. Empty before it has started. */
    List<Belief> beliefs();

    /** Whether it still believes what {@link #beliefs()} said; costs a simulator that asks after each step less than a copy. */
    boolean stillBelieves(List<Belief> beliefs);
}
