/**
 * Paths of the node itself, for {@code hostPath} and {@code local}: whether the host allows them, their type, and
 * their mounts.
 *
 * <p>May depend on {@code plugins.common} and {@code io.volume4j.spi}. Only {@code HostPathPlugin} and {@code LocalPlugin} may depend on
 * it.
 */
@NullMarked
package io.volume4j.core.plugins.hostpath;

import org.jspecify.annotations.NullMarked;
