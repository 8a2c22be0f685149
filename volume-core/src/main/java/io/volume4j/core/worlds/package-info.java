/**
 * The four types of the front door: what is wanted ({@link io.volume4j.core.worlds.DesiredStateOfWorld}), what is there ({@link
 * io.volume4j.core.worlds.ActualStateOfWorld}), what makes the second match the first ({@link
 * io.volume4j.core.worlds.Reconciler}) and what carries out its steps ({@link io.volume4j.core.worlds.OperationExecutor}).
 *
 * <p>Interfaces and values only, so that a host's unit test can replace them. {@code VolumeManager} answers them from its event
 * loop: each answer is one consistent moment, immutable, and may be asked for from any thread. A future completes on that loop;
 * what depends on it must not block. It fails with a {@link io.volume4j.spi.VolumeException} when the manager is closed.
 */
@NullMarked
package io.volume4j.core.worlds;

import org.jspecify.annotations.NullMarked;
