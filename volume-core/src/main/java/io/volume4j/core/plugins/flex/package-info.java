/**
 * Drivers of the flexvolume protocol: their calls, their answers in JSON, and one plugin for each driver.
 *
 * <p>May depend on {@code plugins.common}, {@code io.volume4j.spi} and Jackson. Only {@code FlexVolumes} may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins.flex;

import org.jspecify.annotations.NullMarked;
