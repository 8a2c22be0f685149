/**
 * Presents the direct wishes of a host as a cluster. Each wish becomes a pod, with a bound claim and volume if the
 * source needs them, so that all other code handles only pods. The public API uses this package. Depends on the SPI,
 * on {@link io.volume4j.core.worlds.PodVolumes} and on {@link io.volume4j.core.objects.RestatedObjects}.
 */
@NullMarked
package io.volume4j.core.wishes;

import org.jspecify.annotations.NullMarked;
