/**
 * Reconstruction at the start: computes the actual state of world from the journal's rows, the mount table and the
 * directories below the root.
 *
 * <p>May depend on {@code node.state}. Only the start of the agent may depend on it.
 */
@NullMarked
package io.volume4j.core.node.recover;

import org.jspecify.annotations.NullMarked;
