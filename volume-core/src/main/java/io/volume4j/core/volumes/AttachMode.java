package io.volume4j.core.volumes;

/**
 * Which side attaches volumes to a node.
 *
 * @since 0.1.0
 */
public enum AttachMode {
    /** The control plane attaches. The node waits for the attachment and reports the volumes that it uses. */
    CONTROLLER,
    /** The node itself attaches. */
    SELF
}
