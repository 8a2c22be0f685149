/**
 * The node's half of the library: which volumes the pods of this machine want, what is mounted here, and the planner that
 * compares the two.
 *
 * <p>Start reading at {@link io.volume4j.core.node.NodePlanner}. This package holds the pure policy and its words: the planner, its
 * view of a volume, its steps, the states of a volume and what outcomes make of them, and the options and ports of a node. It
 * depends on the engine, the object cache, the plugin registry and the SPI, and on none of the rooms below it:
 *
 * <ul>
 *   <li>{@code state}: rows, their bytes, paths and files beside mounts;
 *   <li>{@code desired} and {@code actual}: the two states of world;
 *   <li>{@code attach}: what the node and the control plane tell each other about attachments;
 *   <li>{@code view}: what the planner is shown;
 *   <li>{@code call}: what steps do to the machine;
 *   <li>{@code recover}: reconstruction at the start;
 *   <li>{@code report}: events, metrics, answers;
 *   <li>{@code agent}: the event loop that owns all of it.
 * </ul>
 *
 * <p>Only the public {@code VolumeManager} and the simulator may depend on these packages.
 */
@NullMarked
package io.volume4j.core.node;

import org.jspecify.annotations.NullMarked;
