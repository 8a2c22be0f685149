package io.volume4j.core;

import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.spi.VolumeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The node's operations as a host sees them. Thread-safe. */
final class NodeOperations implements OperationExecutor<VolumeId> {
    private final NodeAgent agent;
    private final OperationLimits limits;

    NodeOperations(NodeAgent agent, OperationLimits limits) {
        this.agent = agent;
        this.limits = limits;
    }

    @Override
    public CompletableFuture<List<PendingOperation<VolumeId>>> pending() {
        return agent.pending();
    }

    @Override
    public CompletableFuture<Boolean> whenIdle() {
        return agent.whenIdle();
    }

    @Override
    public OperationLimits limits() {
        return limits;
    }
}
