/**
 * Snapshots of volumes and of groups of volumes, one feature of the control plane. {@link
 * io.volume4j.core.control.snapshot.SnapshotPlanner} binds a snapshot to its content, {@link
 * io.volume4j.core.control.snapshot.ContentPlanner} has the backend create it, watches it until it is ready and deletes it, and {@link
 * io.volume4j.core.control.snapshot.SourcePlanner} keeps claims while others are made from them.
 *
 * <p>Planners are pure decisions over values. {@link io.volume4j.core.control.snapshot.SnapshotFeature} gives them what they need to
 * know, makes the calls of their steps and remembers how the calls ended. It may use the host and the SPI, never another feature: what
 * others must know of snapshots it publishes as the host's {@link io.volume4j.core.control.host.source.DataSources}.
 */
@NullMarked
package io.volume4j.core.control.snapshot;

import org.jspecify.annotations.NullMarked;
