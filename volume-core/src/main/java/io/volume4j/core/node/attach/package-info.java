/**
 * The exchange between the node and the control plane about attachments: which volumes the node uses, which are
 * granted to it, and how many volumes of each plugin it can have.
 *
 * <p>May depend on {@code node.state}, {@code node.desired} and {@code node.actual}, and on {@code core.request}.
 */
@NullMarked
package io.volume4j.core.node.attach;

import org.jspecify.annotations.NullMarked;
