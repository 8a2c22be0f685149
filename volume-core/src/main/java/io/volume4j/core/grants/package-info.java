/**
 * The annotations with which a node and the control plane communicate, so that the controller detaches no volume that
 * a node may use. They say which attachments the node may use, and which volumes it uses. The package has only their
 * texts and names; {@code core.node} and {@code core.control.attach} make the decisions.
 *
 * <p>Depends on the SPI only. Both sides depend on it, but not on each other.
 */
package io.volume4j.core.grants;
