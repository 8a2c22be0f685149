package io.volume4j.core.control.schedule;

import io.volume4j.core.volumes.VolumeRefusal;
import io.volume4j.core.volumes.VolumeRefusal.Reason;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects the refused nodes with the reasons. Lives for one decision. */
final class Refusals {
    private final BitSet asked;
    private final BitSet left;
    private final Map<VolumeRefusal, BitSet> refused = new LinkedHashMap<>();

    Refusals(BitSet asked) {
        this.asked = (BitSet) asked.clone();
        this.left = (BitSet) asked.clone();
    }

    /** The nodes in question that are not refused so far. Changes with every refusal. */
    BitSet left() {
        return left;
    }

    void refuse(Reason reason, String message, BitSet nodes) {
        refuse(new VolumeRefusal(reason, message), nodes);
    }

    void refuse(VolumeRefusal refusal, BitSet nodes) {
        BitSet here = (BitSet) nodes.clone();
        here.and(asked);
        if (!here.isEmpty()) {
            refused.computeIfAbsent(refusal, key -> new BitSet()).or(here);
            left.andNot(here);
        }
    }

    /** Refuses all nodes in question except these. */
    void allowOnly(BitSet nodes, Reason reason, String message) {
        BitSet others = (BitSet) asked.clone();
        others.andNot(nodes);
        refuse(reason, message, others);
    }

    BitSet asked() {
        return asked;
    }

    Map<VolumeRefusal, BitSet> all() {
        return refused;
    }
}
