/**
 * The common parts of plugins: mount points, bind mounts, usage by path, the decision whether to format, file names,
 * texts for messages, and the undo of failed calls.
 *
 * <p>May depend on {@code io.volume4j.spi}, slf4j and Jackson, and on no other package of the core. Every plugin may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.common;

import org.jspecify.annotations.NullMarked;
