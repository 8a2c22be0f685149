package io.volume4j.core.control;

import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A controller's operations as a host sees them. Thread-safe, as its parts are. */
record ControlOperations(
        OperationLimits limits,
        Supplier<CompletableFuture<List<OperationExecutor.PendingOperation<ObjectKey>>>> underWay,
        Supplier<CompletableFuture<Boolean>> resting)
        implements OperationExecutor<ObjectKey> {
    @Override
    public CompletableFuture<List<PendingOperation<ObjectKey>>> pending() {
        return underWay.get();
    }

    @Override
    public CompletableFuture<Boolean> whenIdle() {
        return resting.get();
    }
}
