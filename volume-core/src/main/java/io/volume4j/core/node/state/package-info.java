/**
 * What the node keeps of a volume and of its mounts, and where: rows, their bytes in the journal, paths below the root, and the
 * files beside mounts that say what is mounted.
 *
 * <p>May depend on {@code core.node}, the journal and {@code io.volume4j.spi}; on no other room of the node. Every room of the node
 * may depend on it.
 */
@NullMarked
package io.volume4j.core.node.state;

import org.jspecify.annotations.NullMarked;
