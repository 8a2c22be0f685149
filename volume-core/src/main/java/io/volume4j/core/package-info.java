/**
 * The front door of the library for a node: {@link io.volume4j.core.VolumeManager}. What a host needs besides stands in
 * {@code plugins}, {@code linux}, {@code codec} and {@code control}; everything else is not exported.
 *
 * <p>May depend on every package of this module; none depends on it.
 */
package io.volume4j.core;
