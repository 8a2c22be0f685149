/**
 * Wishes that a host states directly, as a cluster of their own: each becomes a pod, with a claim and a volume bound to each other
 * where a source needs them, so that whatever follows knows one kind of wish. Enters here: the front door. Depends on the SPI and on
 * {@link io.volume4j.core.worlds.PodVolumes}.
 */
@NullMarked
package io.volume4j.core.wishes;

import org.jspecify.annotations.NullMarked;
