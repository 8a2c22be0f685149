package io.volume4j.core.control;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A controller's reconciler for hosts. Thread-safe, like the controller. */
record ControlReconciler(AgentController controller) implements Reconciler<ObjectKey, PlannedStep> {
    @Override
    public void start() {
        controller.start();
    }

    @Override
    public void close() {
        controller.close();
    }

    @Override
    public CompletableFuture<List<PlannedStep>> plan() {
        return controller.plan();
    }

    @Override
    public CompletableFuture<Explanation> explain(ObjectKey key) {
        return controller.explain(key);
    }

    @Override
    public CompletableFuture<Boolean> reconcile(ObjectKey key) {
        return controller.answered(controller.agent().reconcile(key));
    }

    @Override
    public CompletableFuture<Quiescence> quiescence() {
        return controller.answered(controller.agent().quiescence());
    }
}
