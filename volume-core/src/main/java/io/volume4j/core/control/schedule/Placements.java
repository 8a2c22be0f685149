package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.ObjectKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The pods that are or will be on each node, with their volumes and disks, and the users of each claim. Not thread-safe. */
final class Placements {
    /**
     * A pod with volumes.
     *
     * @param node its current or promised node, {@code ""} for none
     * @param inline volumes in its spec that drivers attach
     */
    record Placed(
            String uid, String node, List<ObjectKey> claims, List<AttachUse.Volume> inline, List<Disks.Use> disks) {}

    private record Counted(int node, List<AttachUse.Volume> volumes, List<Disks.Use> disks) {}

    private final NodeTable nodes;
    private final AttachUse attached;
    private final Disks disks;
    private final Function<Collection<ObjectKey>, List<AttachUse.Volume>> volumesOf;
    private final Map<String, Placed> pods = new HashMap<>();
    private final Map<String, Counted> counted = new HashMap<>();
    private final Map<ObjectKey, Set<String>> byClaim = new HashMap<>();

    /** @param volumesOf the volumes of claims, according to current knowledge */
    Placements(
            NodeTable nodes,
            AttachUse attached,
            Disks disks,
            Function<Collection<ObjectKey>, List<AttachUse.Volume>> volumesOf) {
        this.nodes = nodes;
        this.attached = attached;
        this.disks = disks;
        this.volumesOf = volumesOf;
    }

    /** Adds the pod, or replaces its earlier state. */
    void put(Placed pod) {
        remove(pod.uid());
        pods.put(pod.uid(), pod);
        pod.claims()
                .forEach(claim -> byClaim.computeIfAbsent(claim, key -> new LinkedHashSet<>())
                        .add(pod.uid()));
        count(pod);
    }

    void remove(String uid) {
        @Nullable Placed pod = pods.remove(uid);
        if (pod != null) {
            discount(uid);
            pod.claims()
                    .forEach(claim -> byClaim.computeIfPresent(claim, (key, users) -> {
                        users.remove(uid);
                        return users.isEmpty() ? null : users;
                    }));
        }
    }

    /** Counts the pods of the claim again after a change of its volume. */
    void claimChanged(ObjectKey claim) {
        for (String uid : byClaim.getOrDefault(claim, Set.of())) {
            @Nullable Placed pod = pods.get(uid);
            if (pod != null && !pod.node().isEmpty()) {
                discount(uid);
                count(pod);
            }
        }
    }

    /** Nodes of other pods that use the claim, by the pods' UIDs. */
    Map<String, String> usersOf(ObjectKey claim, String besides) {
        Map<String, String> users = new LinkedHashMap<>();
        for (String uid : byClaim.getOrDefault(claim, Set.of())) {
            @Nullable Placed pod = pods.get(uid);
            if (pod != null && !uid.equals(besides) && !pod.node().isEmpty()) {
                users.put(uid, pod.node());
            }
        }
        return users;
    }

    /** The nodes where other pods have the disk in a way that prevents this use. */
    BitSet diskTaken(Disks.Use use, String besides) {
        @Nullable Counted own = counted.get(besides);
        return own == null ? disks.taken(use, -1, List.of()) : disks.taken(use, own.node(), own.disks());
    }

    int size() {
        return pods.size();
    }

    private void count(Placed pod) {
        if (!pod.node().isEmpty()) {
            int node = nodes.retain(pod.node());
            List<AttachUse.Volume> volumes = new ArrayList<>(pod.inline());
            volumes.addAll(volumesOf.apply(pod.claims()));
            Counted now = new Counted(node, volumes, pod.disks());
            attached.add(node, now.volumes());
            disks.add(node, now.disks());
            counted.put(pod.uid(), now);
        }
    }

    private void discount(String uid) {
        @Nullable Counted before = counted.remove(uid);
        if (before != null) {
            attached.remove(before.node(), before.volumes());
            disks.remove(before.node(), before.disks());
            nodes.release(before.node());
        }
    }
}
