package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.volumes.NodeVolumeNames;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.Node.AttachedVolume;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes Node objects over: whose volumes are attached from here, how the nodes are, and what they say. Loop thread only. */
final class NodeObjects {
    private final AttachIndex worlds;
    private final DesiredStateOfWorld desired;

    NodeObjects(AttachIndex worlds, DesiredStateOfWorld desired) {
        this.worlds = worlds;
        this.desired = desired;
    }

    /** The node is there; nothing follows from it yet. For taking over a whole cluster, which ends with {@link #filled}. */
    void fill(Node node) {
        worlds.requireNode(node.metadata().name()).update(node);
    }

    /** Everything else was taken over. */
    void filled() {
        worlds.nodes().forEach(node -> {
            listings(node);
            node.pairs.values().forEach(worlds::count);
        });
    }

    void nodeChanged(String name, @Nullable Node after) {
        NodeState node = worlds.requireNode(name);
        boolean served = node.served();
        boolean healthy = node.healthy();
        boolean outOfService = node.outOfService;
        boolean kept = node.keepsTerminated;
        boolean reports = node.words.reports();
        String uid = node.uid;
        boolean saysElse = node.update(after);
        boolean servedElse = served != node.served();
        if (saysElse || servedElse) {
            listings(node);
        }
        if (servedElse || kept != node.keepsTerminated) {
            desired.resolveAgain(node);
        }
        if (servedElse) {
            for (PairState pair : node.pairs.values()) {
                pair.unwantedSince = served ? worlds.now() : pair.unwantedSince;
                // No step tries again there to make the record, so that it would not be found out.
                pair.maybeCreated(false);
                worlds.count(pair);
                worlds.visitOthers(pair);
            }
        }
        boolean anotherState = servedElse
                || healthy != node.healthy()
                || outOfService != node.outOfService
                || reports != node.words.reports()
                || !uid.equals(node.uid);
        if (anotherState) {
            node.read();
            new ArrayList<>(node.pairs.values()).forEach(worlds::visit);
        } else if (saysElse) {
            node.read().forEach(worlds::visit);
        }
        for (PairState pair : node.pairs.values()) {
            if (pair.waitsForRoom) {
                worlds.visit(pair);
            }
        }
        worlds.marks().visit(new AttachKey.OfNode(name));
        worlds.prune(node);
    }

    /**
     * Pairs for what the node's status shows, so that what has no record is known too. What an object showed that is gone may be
     * there all the same.
     */
    private void listings(NodeState node) {
        if (!node.there) {
            return;
        }
        Set<VolumeId> listed = new LinkedHashSet<>();
        if (node.served()) {
            for (AttachedVolume volume : node.words.attached()) {
                NodeVolumeNames.parse(volume.name()).ifPresent(listed::add);
            }
        }
        for (VolumeId id : listed) {
            PairState pair = worlds.requirePair(id, node);
            if (!pair.listed) {
                pair.listed = true;
                worlds.count(pair);
                worlds.visit(pair);
            }
        }
        for (PairState pair : new ArrayList<>(node.pairs.values())) {
            if (pair.listed && !listed.contains(pair.key.volume())) {
                pair.listed = false;
                worlds.count(pair);
                worlds.visit(pair);
                worlds.visitOthers(pair);
                worlds.prune(pair);
            }
        }
    }
}
