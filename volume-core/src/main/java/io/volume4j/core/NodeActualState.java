package io.volume4j.core;

import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.worlds.ActualStateOfWorld;
import io.volume4j.spi.VolumeId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The actual state of world as a host sees it. Thread-safe. */
final class NodeActualState implements ActualStateOfWorld {
    private final NodeAgent agent;

    NodeActualState(NodeAgent agent) {
        this.agent = agent;
    }

    @Override
    public CompletableFuture<Reading> read() {
        return agent.knownWorlds()
                .thenApply(worlds ->
                        new Reading(worlds.revision(), worlds.snapshot().actual()));
    }

    @Override
    public CompletableFuture<Boolean> isAttached(VolumeId volume) {
        return agent.attached(volume);
    }

    @Override
    public CompletableFuture<Boolean> isMounted(VolumeId volume, String podUid) {
        return agent.mounted(volume, podUid);
    }

    @Override
    public CompletableFuture<Boolean> whenEmpty() {
        return agent.whenEmpty();
    }

    @Override
    public VolumeManager.Subscription listen(Consumer<VolumeTransition> listener) {
        return NodeListeners.listen(agent, listener);
    }
}
