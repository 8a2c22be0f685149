/**
 * The four main types of the public API. {@link io.volume4j.core.worlds.DesiredStateOfWorld} and
 * {@link io.volume4j.core.worlds.ActualStateOfWorld} are the two states. {@link io.volume4j.core.worlds.Reconciler}
 * changes the second to match the first. {@link io.volume4j.core.worlds.OperationExecutor} executes its steps.
 *
 * <p>The package has interfaces and values only, so that a host's unit test can replace them. {@code VolumeManager}
 * answers all queries on its event loop. Each answer is immutable and describes one consistent moment. Any thread may
 * ask. A future completes on the event loop; code that depends on it must not block. The future fails with a
 * {@link io.volume4j.spi.VolumeException} when the manager is closed.
 */
@NullMarked
package io.volume4j.core.worlds;

import org.jspecify.annotations.NullMarked;
