package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes, volumes and pods of the attach/detach reconciler, and the keys that a change of them must visit. Each volume on each
 * node is one pair, which {@link DesiredStateOfWorld} and {@link ActualStateOfWorld} share. Loop thread only.
 */
final class AttachIndex {
    /** Receives the keys that the engines must visit again. */
    interface Marks {
        void visit(AttachKey key);

        /** @param record a VolumeAttachment, or a PersistentVolume that an external attacher may have kept */
        void visitRecord(ObjectKey record);

        /** Visits the key and retries its failed steps at once, because the cause of the failure may be over. */
        void retry(AttachKey key);

        void retryRecord(ObjectKey record);
    }

    private final LongSupplier clock;
    private final Marks marks;
    private final AttachCounts counts;
    private final Map<String, NodeState> nodes = new LinkedHashMap<>();
    private final Map<VolumeId, VolumeState> volumes = new LinkedHashMap<>();
    private final Map<String, PodState> pods = new HashMap<>();

    AttachIndex(LongSupplier clock, Marks marks, AttachCounts counts) {
        this.clock = clock;
        this.marks = marks;
        this.counts = counts;
    }

    long now() {
        return clock.getAsLong();
    }

    Marks marks() {
        return marks;
    }

    Iterable<NodeState> nodes() {
        return nodes.values();
    }

    @Nullable
    NodeState node(String name) {
        return nodes.get(name);
    }

    NodeState requireNode(String name) {
        return nodes.computeIfAbsent(name, NodeState::new);
    }

    @Nullable
    VolumeState volume(VolumeId id) {
        return volumes.get(id);
    }

    VolumeState requireVolume(VolumeId id) {
        return volumes.computeIfAbsent(id, VolumeState::new);
    }

    @Nullable
    PairState pair(VolumeId id, String node) {
        NodeState state = nodes.get(node);
        return state == null ? null : state.pairs.get(id);
    }

    PairState requirePair(VolumeId id, NodeState node) {
        PairState pair = node.pairs.get(id);
        if (pair == null) {
            VolumeState volume = requireVolume(id);
            pair = new PairState(new AttachKey.Pair(volume.id, node.name), volume, node);
            pair.unwantedSince = now();
            node.add(pair);
            volume.add(pair);
        }
        return pair;
    }

    /** Pods by UID. */
    Map<String, PodState> pods() {
        return pods;
    }

    // Visits.

    void visit(PairState pair) {
        marks.visit(pair.key);
        pair.records().forEach(marks::visitRecord);
        marks.visit(pair.node.key);
    }

    /** The same, and forgets earlier failures, so that the steps are taken at once. */
    void retry(PairState pair) {
        marks.retry(pair.key);
        pair.records().forEach(marks::retryRecord);
        marks.retry(pair.node.key);
    }

    /** Visits the volume's other pairs if only one node may have it: whether they can attach depends on this pair. */
    void visitOthers(PairState pair) {
        if (pair.volume.oneNodeOnly) {
            for (PairState other : pair.volume.pairs()) {
                if (other != pair) {
                    marks.visit(other.key);
                    other.records().forEach(marks::visitRecord);
                }
            }
        }
    }

    /** A record of the pair is gone. Retries pairs that waited for this at once. */
    void released(PairState pair) {
        pair.forgetReports();
        pair.listed = pair.listed && pair.node.there;
        pair.maybeCreated(false);
        pair.checkedUid = "";
        count(pair);
        visit(pair);
        for (PairState other : pair.volume.pairs()) {
            if (other != pair) {
                marks.retry(other.key);
                other.records().forEach(marks::retryRecord);
            }
        }
        prune(pair);
    }

    void creating(PairState pair, boolean value) {
        pair.creating = value;
        count(pair);
        visitOthers(pair);
    }

    // Counts.

    /** Updates the counts for the pair. If the node gets room, visits pairs that wait for room. */
    void count(PairState pair) {
        String driver = pair.key.volume().plugin();
        boolean desired = pair.wanted() && pair.node.served();
        if (desired != pair.countedDesired) {
            pair.countedDesired = desired;
            counts.desired(pair.node, driver, desired ? 1 : -1);
        }
        boolean occupied = pair.occupied();
        if (occupied == pair.counted) {
            return;
        }
        pair.counted = occupied;
        pair.node.occupy(driver, occupied ? 1 : -1);
        counts.actual(driver, occupied ? 1 : -1);
        if (!occupied) {
            pair.volume.takeLeaving().forEach(marks::visitRecord);
            visitOthers(pair);
            for (PairState other : pair.node.pairs.values()) {
                if (other.waitsForRoom) {
                    marks.visit(other.key);
                }
            }
        }
    }

    // Removal.

    void prune(PairState pair) {
        if (pair.empty()) {
            pair.node.pairs.remove(pair.key.volume());
            pair.volume.remove(pair);
            if (pair.volume.pairs().isEmpty() && pair.volume.settledAt <= now()) {
                volumes.remove(pair.volume.id);
            }
            prune(pair.node);
        }
    }

    void prune(NodeState node) {
        if (!node.there && node.pairs.isEmpty() && node.pods.isEmpty()) {
            nodes.remove(node.name);
        }
    }
}
