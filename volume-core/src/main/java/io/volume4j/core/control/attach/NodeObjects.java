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

/** Applies Node objects: whether this controller attaches the nodes' volumes, their health, and their reports. Loop thread only. */
final class NodeObjects {
    private final AttachIndex worlds;
    private final DesiredStateOfWorld desired;

    NodeObjects(AttachIndex worlds, DesiredStateOfWorld desired) {
        this.worlds = worlds;
        this.desired = desired;
    }

    /** Adds the node without consequences yet. A listing of the whole cluster uses it, and ends with {@link #filled}. */
    void fill(Node node) {
        update(worlds.requireNode(node.metadata().name()), node);
    }

    /** All other objects are applied. */
    void filled() {
        worlds.nodes().forEach(node -> {
            listings(node);
            node.pairs.values().forEach(worlds::count);
        });
    }

    private boolean update(NodeState node, @Nullable Node after) {
        String uid = node.uid;
        boolean saysElse = node.update(after);
        if (!uid.equals(node.uid)) {
            node.seenSince = worlds.now();
        }
        return saysElse;
    }

    void nodeChanged(String name, @Nullable Node after) {
        NodeState node = worlds.requireNode(name);
        boolean served = node.served();
        boolean healthy = node.healthy();
        boolean outOfService = node.outOfService;
        boolean kept = node.keepsTerminated;
        boolean reports = node.words.reports();
        String uid = node.uid;
        boolean saysElse = update(node, after);
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
                // No step retries to create the record there, so the doubt would stay.
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
        if (node.healthy() && (!healthy || !uid.equals(node.uid))) {
            // What failed while the node was away failed because of that.
            node.read();
            new ArrayList<>(node.pairs.values()).forEach(worlds::retry);
        } else if (anotherState) {
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
     * Creates pairs for the volumes in the node's status, so that volumes without a record are known too. Volumes in a deleted
     * object stay listed, because the node may still have them.
     */
    private void listings(NodeState node) {
        if (!node.there) {
            return;
        }
        Set<VolumeId> listed = new LinkedHashSet<>();
        if (node.served()) {
            for (AttachedVolume volume : node.words.attached()) {
                @Nullable VolumeId id = NodeVolumeNames.parse(volume.name()).orElse(null);
                if (id != null) {
                    listed.add(id);
                }
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
