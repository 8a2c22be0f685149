package io.volume4j.core.node;

/** Whether a volume is attached to this node. */
public enum AttachState {
    DETACHED,
    /** It may be: counts as attached wherever that matters. */
    UNCERTAIN,
    ATTACHED
}
