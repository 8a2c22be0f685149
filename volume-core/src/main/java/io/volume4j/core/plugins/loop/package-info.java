/**
 * Block storage of one node: each volume is a sparse file, attached as a loop device. One class for each capability of the plugin.
 *
 * <p>May depend on {@code plugins.common} and {@code io.volume4j.spi}. Only {@code LoopPlugin} may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.loop;

import org.jspecify.annotations.NullMarked;
