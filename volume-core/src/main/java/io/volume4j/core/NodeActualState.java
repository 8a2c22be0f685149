package io.volume4j.core;

import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.volumes.VolumeTransition;
import io.volume4j.core.worlds.ActualStateOfWorld;
import io.volume4j.spi.VolumeId;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The actual state of world as a host sees it. Thread-safe. */
final class NodeActualState implements ActualStateOfWorld {
    private final NodeAgent agent;

    NodeActualState(NodeAgent agent) {
        this.agent = agent;
    }

    /** Which volumes are certainly mounted for which pods. */
    record Mounts(Set<Pair> pairs) {
        record Pair(VolumeId volume, String podUid) {}

        boolean certain(VolumeId volume, String podUid) {
            return pairs.contains(new Pair(volume, podUid));
        }
    }

    static Mounts mounts(NodeSnapshot snapshot) {
        Set<Mounts.Pair> pairs = new HashSet<>();
        for (NodeSnapshot.Actual volume : snapshot.actual()) {
            for (NodeSnapshot.Mount mount : volume.mounts()) {
                if (mount.state().equals("MOUNTED")) {
                    pairs.add(new Mounts.Pair(volume.volume(), mount.podUid()));
                }
            }
        }
        return new Mounts(pairs);
    }

    @Override
    public CompletableFuture<Reading> read() {
        return agent.worlds()
                .thenApply(worlds ->
                        new Reading(worlds.revision(), worlds.snapshot().actual()));
    }

    @Override
    public CompletableFuture<Boolean> isAttached(VolumeId volume) {
        return agent.attached(volume);
    }

    @Override
    public CompletableFuture<Boolean> isMounted(VolumeId volume, String podUid) {
        return agent.worlds().thenApply(worlds -> mounts(worlds.snapshot()).certain(volume, podUid));
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
