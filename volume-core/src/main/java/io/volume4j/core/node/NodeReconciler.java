package io.volume4j.core.node;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.spi.VolumeException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The agent of a node, as a simulator runs and observes it. */
public interface NodeReconciler {
    /**
     * Opens the journal, reconstructs the state of an earlier run, and begins to reconcile. Blocks for disk and
     * kernel; must not be called on the loop. Fails if the agent is closed before or during the call; the agent then
     * holds no resources.
     *
     * @throws VolumeException if the journal cannot be opened or the machine cannot be read
     */
    CompletableFuture<Void> start();

    /**
     * Completes when all volumes that the pod uses are mounted. Fails early after an error that does not resolve
     * without a person.
     */
    CompletableFuture<MountedPod> whenMounted(String podUid);

    /**
     * Explains the state of the pod's volumes.
     * @param subject the name of the pod in the explanation
     */
    CompletableFuture<Explanation> explainPod(String podUid, String subject);

    /** Completes with whether there is nothing to do and no operation is running. */
    CompletableFuture<Boolean> quiet();

    /** The agent's beliefs. Call it on the loop. Empty before the start. */
    List<Belief> beliefs();

    /**
     * Whether these are still the agent's beliefs. Cheaper than a new copy for a simulator that asks after each step.
     */
    boolean stillBelieves(List<Belief> beliefs);
}
