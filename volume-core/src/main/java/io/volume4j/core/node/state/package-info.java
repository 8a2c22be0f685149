/**
 * The stored state of volumes and mounts: rows, their bytes in the journal, paths below the root, and the metadata
 * files beside mounts.
 *
 * <p>May depend on {@code core.node}, the journal and {@code io.volume4j.spi}, and on no other package of the node.
 * Every package of the node may depend on it.
 */
@NullMarked
package io.volume4j.core.node.state;

import org.jspecify.annotations.NullMarked;
