package io.volume4j.inmemory.scale;

import io.volume4j.inmemory.scale.Growth.Shape;
import java.util.Set;

/** The usual events in a cluster, and the costs that are known to grow with the cluster. */
public enum Event {
    /**
     * A pod ends with its claims, and a new pod with new claims replaces it: volumes are deleted and provisioned. Every node gets every
     * event of claims and volumes, and before the controller deletes storage it lists all attachments and nodes.
     */
    REPLACED("pod and claims replaced", Set.of(Measure.NODE_EVENTS, Measure.LISTED, Measure.ALLOCATED)),
    /** Two pods end, and each starts with its claims on the other's node. */
    MOVED("two pods change nodes", Set.of()),
    /** Another program changes one claim of a pod, in a way that is irrelevant for the library. Every node gets the event. */
    TOUCHED("claim touched", Set.of(Measure.NODE_EVENTS, Measure.ALLOCATED)),
    /** An agent dies and starts again. It lists all claims and volumes. */
    RESTARTED("agent restarted", Set.of(Measure.LISTED, Measure.ALLOCATED));

    private final String word;

    @SuppressWarnings("ImmutableEnumChecker") // immutable, from Set.of
    private final Set<Measure> growing;

    Event(String word, Set<Measure> growing) {
        this.word = word;
        this.growing = growing;
    }

    /** The name for readers. */
    public String word() {
        return word;
    }

    /** The known and accepted growth with the number of nodes. */
    public Shape accepted(Measure measure) {
        return growing.contains(measure) ? Shape.LINEAR : Shape.LEVEL;
    }
}
