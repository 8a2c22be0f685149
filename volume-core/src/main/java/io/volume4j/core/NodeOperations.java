package io.volume4j.core;

import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.worlds.OperationExecutor;
import io.volume4j.core.worlds.OperationLimits;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The node's operations as a host sees them. Thread-safe. */
final class NodeOperations implements OperationExecutor {
    private final NodeAgent agent;
    private final OperationLimits limits;

    NodeOperations(NodeAgent agent, OperationLimits limits) {
        this.agent = agent;
        this.limits = limits;
    }

    @Override
    public CompletableFuture<List<PendingOperation>> pending() {
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
