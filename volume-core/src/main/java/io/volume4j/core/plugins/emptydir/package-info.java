/**
 * Directories that exist as long as their pod ({@code emptyDir}): on the node's disk, in memory, or in huge pages.
 *
 * <p>May depend on {@code plugins.common} and {@code io.volume4j.spi}. Only {@code EmptyDirPlugin} may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.emptydir;

import org.jspecify.annotations.NullMarked;
