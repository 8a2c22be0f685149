/**
 * The node's agent: one event loop that owns both states of world, starts steps and records their outcomes.
 *
 * <p>{@code NodeParts} creates the parts. {@code NodeWorld} gives each step its intent, its call and its outcome.
 *
 * <p>May depend on every other package of the node, on the engine and on the journal. Only the public
 * {@code VolumeManager} and the simulator may depend on it.
 */
@NullMarked
package io.volume4j.core.node.agent;

import org.jspecify.annotations.NullMarked;
