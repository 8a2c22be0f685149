package io.volume4j.spi.host;

/**
 * The evidence that allows the controller to detach a volume from a node that did not release it.
 *
 * @param evidence who gave the evidence and what it says; for logs and records
 * @since 0.1.0
 */
public record Fence(Kind kind, String nodeName, String evidence) {
    /** How reliable the evidence is. */
    public enum Kind {
        /** A machine or a cloud provider confirmed that the node is off or disconnected from its storage. */
        AUTHORITY_PROOF,
        /** A person declared the node out of service. */
        OPERATOR_ASSERTION,
        /** The node's agent stopped users and unmounted before its lease expired. */
        SELF_FENCED_LEASE,
        /** No proof exists, but a timeout has passed. Unsafe; the controller reports it as unsafe. */
        ACCEPTED_RISK
    }
}
