package io.volume4j.core;

import io.volume4j.core.node.agent.NodeAgent;
import io.volume4j.core.node.agent.WorldReading;
import io.volume4j.core.volumes.NodeSnapshot;
import io.volume4j.core.wishes.DirectWishes;
import io.volume4j.core.worlds.DesiredStateOfWorld;
import io.volume4j.core.worlds.PodVolumes;
import io.volume4j.spi.VolumeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The desired state of world as a host sees it: readings from the loop, and the door for direct wishes. Thread-safe. */
final class DirectDoor implements DesiredStateOfWorld {
    private final NodeAgent agent;
    private final @Nullable DirectWishes wishes;

    /** @param wishes null if the host states none */
    DirectDoor(NodeAgent agent, @Nullable DirectWishes wishes) {
        this.agent = agent;
        this.wishes = wishes;
    }

    @Override
    public CompletableFuture<Reading> read() {
        return agent.worlds().thenApply(DirectDoor::reading);
    }

    private static Reading reading(WorldReading worlds) {
        return new Reading(
                worlds.revision(),
                worlds.clusterComplete(),
                worlds.directComplete(),
                worlds.snapshot().desired(),
                worlds.snapshot().problems());
    }

    @Override
    public CompletableFuture<List<NodeSnapshot.Desired>> volumesToMount() {
        return agent.knownWorlds().thenApply(worlds -> {
            Map<VolumeId, Set<String>> mounted = mounted(worlds.snapshot());
            return worlds.snapshot().desired().stream()
                    .filter(volume -> !mounted.getOrDefault(volume.volume(), Set.of())
                            .containsAll(volume.pods().keySet()))
                    .toList();
        });
    }

    /** The pods for which each volume is certainly mounted. */
    private static Map<VolumeId, Set<String>> mounted(NodeSnapshot snapshot) {
        Map<VolumeId, Set<String>> pods = new HashMap<>();
        for (NodeSnapshot.Actual volume : snapshot.actual()) {
            for (NodeSnapshot.Mount mount : volume.mounts()) {
                if (mount.state().equals("MOUNTED")) {
                    pods.computeIfAbsent(volume.volume(), id -> new HashSet<>()).add(mount.podUid());
                }
            }
        }
        return pods;
    }

    @Override
    public CompletableFuture<Boolean> podWants(String podUid, VolumeId volume) {
        return agent.wants(podUid, volume);
    }

    @Override
    public CompletableFuture<List<VolumeId>> volumesInUse() {
        return agent.volumesInUse();
    }

    @Override
    public void put(String podUid, PodVolumes volumes) {
        required().put(podUid, volumes);
    }

    @Override
    public boolean remove(String podUid) {
        return required().remove(podUid);
    }

    @Override
    public void complete() {
        required();
        agent.wishesStated();
    }

    private DirectWishes required() {
        if (wishes == null) {
            throw new IllegalStateException(
                    "this volume manager was built with a cluster alone: call directWishes() on its"
                            + " builder, so that a restart tears down no volume of a job before the host states its wish again");
        }
        return wishes;
    }
}
