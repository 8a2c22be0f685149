package io.volume4j.inmemory.scale;

import io.volume4j.inmemory.scale.Growth.Shape;
import java.util.Set;

/** What happens in a cluster day by day, and which of its costs are known to grow with the cluster. */
public enum Event {
    /**
     * A pod ends with its claims, and one with claims of its own takes its place: volumes are deleted and made. Every node hears of every
     * claim and volume, and before storage is deleted the controller lists all attachments and nodes.
     */
    REPLACED("pod and claims replaced", Set.of(Measure.NODE_EVENTS, Measure.LISTED, Measure.ALLOCATED)),
    /** Two pods end, and each starts with its claims on the other's node. */
    MOVED("two pods change nodes", Set.of()),
    /** Another program changes one claim of a pod, in a way that means nothing to the library. Every node hears of it. */
    TOUCHED("claim touched", Set.of(Measure.NODE_EVENTS, Measure.ALLOCATED)),
    /** An agent dies and is started again. It lists all claims and volumes. */
    RESTARTED("agent restarted", Set.of(Measure.LISTED, Measure.ALLOCATED));

    private final String word;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<Measure> growing;

    Event(String word, Set<Measure> growing) {
        this.word = word;
        this.growing = growing;
    }

    /** As a person reads it. */
    public String word() {
        return word;
    }

    /** The worst growth with the number of nodes that is known and accepted. */
    public Shape accepted(Measure measure) {
        return growing.contains(measure) ? Shape.LINEAR : Shape.LEVEL;
    }
}
