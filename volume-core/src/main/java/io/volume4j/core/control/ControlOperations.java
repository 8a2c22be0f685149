package io.volume4j.core.control;

import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.spi.model.ObjectKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A controller's operations for hosts. Thread-safe, like the controller. */
record ControlOperations(AgentController controller) implements OperationExecutor<ObjectKey> {
    @Override
    public OperationLimits limits() {
        return controller.limits();
    }

    @Override
    public CompletableFuture<List<PendingOperation<ObjectKey>>> pending() {
        return controller.answered(controller.agent().pending());
    }

    @Override
    public CompletableFuture<Boolean> whenIdle() {
        return controller.answered(controller.agent().whenIdle());
    }
}
