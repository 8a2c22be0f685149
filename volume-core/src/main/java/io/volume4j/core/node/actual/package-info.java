/**
 * The actual state of world: what is, or may be, attached and mounted on this node. Only outcomes of operations and the
 * reconstruction at the start change it.
 *
 * <p>May depend on {@code node.state} and on values of {@code node.desired}, such as a resolved volume.
 */
@NullMarked
package io.volume4j.core.node.actual;

import org.jspecify.annotations.NullMarked;
