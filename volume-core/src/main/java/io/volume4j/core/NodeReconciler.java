package io.volume4j.core;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.volumes.VolumePlan;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The node's reconciler as a host sees it. Thread-safe. */
final class NodeReconciler implements Reconciler<VolumeId, VolumePlan> {
    private final VolumeManager manager;
    private final NodeAgent agent;

    NodeReconciler(VolumeManager manager, NodeAgent agent) {
        this.manager = manager;
        this.agent = agent;
    }

    @Override
    public void start() {
        manager.start();
    }

    @Override
    public void close() {
        manager.close();
    }

    @Override
    public CompletableFuture<List<VolumePlan>> plan() {
        return agent.plan();
    }

    @Override
    public CompletableFuture<Explanation> explain(VolumeId volume) {
        return agent.explainVolume(volume);
    }

    @Override
    public CompletableFuture<Boolean> reconcile(VolumeId volume) {
        return agent.reconcile(volume);
    }

    @Override
    public CompletableFuture<Quiescence> quiescence() {
        return agent.quiet()
                .thenCompose(quiet -> quiet
                        ? CompletableFuture.completedFuture(new Quiescence(true, List.of()))
                        : reasons().thenApply(reasons -> new Quiescence(false, reasons)));
    }

    private CompletableFuture<List<String>> reasons() {
        return agent.pending().thenCombine(agent.plan(), (pending, plans) -> {
            List<String> reasons = new ArrayList<>();
            pending.forEach(operation -> reasons.add(operation.step() + " of " + operation.key() + " is "
                    + operation.state() + ", attempt " + operation.attempt()));
            plans.forEach(plan -> reasons.add(plan.text()));
            return reasons.isEmpty() ? List.of("the reconciler is about to examine a volume") : reasons;
        });
    }
}
