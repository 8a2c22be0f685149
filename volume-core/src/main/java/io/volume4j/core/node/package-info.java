/**
 * The node's part of the library: the volumes that the pods of this machine want, the volumes that are mounted, and
 * the planner that compares both.
 *
 * <p>Start reading at {@link io.volume4j.core.node.NodePlanner}. This package has the pure policy and its types: the
 * planner, its view of a volume, its steps, the states of a volume and their transitions, and the options and ports
 * of a node. It depends on the engine, the object cache, the plugin registry and the SPI, and on none of the packages
 * below it:
 *
 * <ul>
 * <li>{@code state}: rows, their bytes, paths and files beside mounts;
 * <li>{@code desired} and {@code actual}: the two states of world;
 * <li>{@code attach}: the communication between the node and the control plane about attachments;
 * <li>{@code view}: the views for the planner;
 * <li>{@code call}: the calls of the steps;
 * <li>{@code recover}: reconstruction at the start;
 * <li>{@code report}: events, metrics and answers to queries;
 * <li>{@code agent}: the event loop that owns all of it.
 * </ul>
 *
 * <p>Only the public {@code VolumeManager} and the simulator may depend on these packages.
 */
@NullMarked
package io.volume4j.core.node;

import org.jspecify.annotations.NullMarked;
