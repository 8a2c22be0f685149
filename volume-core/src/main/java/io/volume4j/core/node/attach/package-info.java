/**
 * What the node and the control plane tell each other about attachments: which volumes the node uses, which are granted to it, and
 * how many of each plugin it can have.
 *
 * <p>May depend on {@code node.state}, {@code node.desired} and {@code node.actual}.
 */
@NullMarked
package io.volume4j.core.node.attach;

import org.jspecify.annotations.NullMarked;
