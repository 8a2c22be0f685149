/**
 * Moves the data of a claim to a volume of another class, for {@link io.volume4j.spi.model.VolumeMove} objects. The
 * controller holds the claim, clones or copies its data into the volume of a second claim, and creates the claim
 * again with that volume. {@link io.volume4j.core.control.move.MovePlanner} makes the decisions.
 *
 * <p>Depends on {@code core.control.host} and the codec of manifests alone.
 */
package io.volume4j.core.control.move;
