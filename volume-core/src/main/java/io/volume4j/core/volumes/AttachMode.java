package io.volume4j.core.volumes;

/**
 * Who attaches volumes to this node.
 *
 * @since 0.1.0
 */
public enum AttachMode {
    /** The control plane; the node waits for it and reports what it uses. */
    CONTROLLER,
    /** The node itself. */
    SELF
}
