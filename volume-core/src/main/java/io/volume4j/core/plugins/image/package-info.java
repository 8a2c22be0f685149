/**
 * Image volumes that the library mounts: the reference of the image, the bind of its files, and images in a directory.
 *
 * <p>May depend on {@code plugins.common} and {@code io.volume4j.spi}. Only {@code ImagePlugin} may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.image;

import org.jspecify.annotations.NullMarked;
