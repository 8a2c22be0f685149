/**
 * Moves the data of a claim to a volume of another class, for {@link io.volume4j.spi.model.VolumeMove} objects: the claim is held,
 * its data is cloned or copied into the volume of a second claim, and the claim is made anew with that volume. {@link
 * io.volume4j.core.control.move.MovePlanner} decides.
 *
 * <p>Depends on {@code core.control.host} and the codec of manifests alone.
 */
package io.volume4j.core.control.move;
