/**
 * What a node and the control plane write for each other on the cluster's objects, so that no volume is taken from a node
 * that may use it: which attachments are granted to the node, and which volumes the node may be using. The texts and names
 * only; who decides stands in {@code core.node} and {@code core.control.attach}.
 *
 * <p>Depends on the SPI alone. Both sides depend on it; they never depend on each other.
 */
package io.volume4j.core.grants;
