package io.volume4j.spi.host;

/**
 * Why a volume may be taken from a node that did not give it back.
 *
 * @param evidence for the record: who said so, and what
 * @since 0.1.0
 */
public record Fence(Kind kind, String nodeName, String evidence) {
    /** What the evidence is worth. */
    public enum Kind {
        /** A machine or a cloud confirmed that the node is off or cut off. */
        AUTHORITY_PROOF,
        /** A person declared the node out of service. */
        OPERATOR_ASSERTION,
        /** The node's agent stopped users and unmounted before its lease expired. */
        SELF_FENCED_LEASE,
        /** No proof exists; a timeout passed. Unsafe, and reported as that. */
        ACCEPTED_RISK
    }
}
