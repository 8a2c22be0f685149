package io.volume4j.core.node;

/** Whether a volume is attached to this node. */
public enum AttachState {
    DETACHED,
    /** The volume may be attached. The node treats it as attached. */
    UNCERTAIN,
    ATTACHED
}
