package io.volume4j.core.control;

import io.volume4j.core.explain.Explanation;
import io.volume4j.core.worlds.Reconciler;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A controller's reconciler as a host sees it. Thread-safe, as its parts are.
 *
 * @param starting the controller's own start, and so on
 */
record ControlReconciler(
        Runnable starting,
        Runnable closing,
        Supplier<CompletableFuture<List<PlannedStep>>> planning,
        Function<ObjectKey, CompletableFuture<Explanation>> explaining,
        Function<ObjectKey, CompletableFuture<Boolean>> reconciling,
        Supplier<CompletableFuture<Reconciler.Quiescence>> resting)
        implements Reconciler<ObjectKey, PlannedStep> {
    @Override
    public void start() {
        starting.run();
    }

    @Override
    public void close() {
        closing.run();
    }

    @Override
    public CompletableFuture<List<PlannedStep>> plan() {
        return planning.get();
    }

    @Override
    public CompletableFuture<Explanation> explain(ObjectKey key) {
        return explaining.apply(key);
    }

    @Override
    public CompletableFuture<Boolean> reconcile(ObjectKey key) {
        return reconciling.apply(key);
    }

    @Override
    public CompletableFuture<Quiescence> quiescence() {
        return resting.get();
    }
}
