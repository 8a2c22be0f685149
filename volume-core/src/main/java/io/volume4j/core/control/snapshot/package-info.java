/**
 * Snapshots of volumes and of groups of volumes, one feature of the control plane.
 * {@link io.volume4j.core.control.snapshot.SnapshotPlanner} binds a snapshot to its content,
 * {@link io.volume4j.core.control.snapshot.ContentPlanner} creates it at the backend, watches it until it is ready
 * and deletes it, and {@link io.volume4j.core.control.snapshot.SourcePlanner} protects claims while others are
 * created from them.
 *
 * <p>Planners are pure functions of values. {@link io.volume4j.core.control.snapshot.SnapshotFeature} builds their
 * views, makes the calls of their steps and stores the outcomes. It may use the host and the SPI, never another
 * feature. It publishes the data sources for other features as the host's
 * {@link io.volume4j.core.control.host.source.DataSources}.
 */
@NullMarked
package io.volume4j.core.control.snapshot;

import org.jspecify.annotations.NullMarked;
