/**
 * Compares both states of world for the planner: the view of each volume, the data for a step, the preparation that a
 * mount still needs, and the expansions of volumes.
 *
 * <p>May depend on {@code node.state}, {@code node.desired}, {@code node.actual} and {@code node.attach}. Changes no state.
 */
@NullMarked
package io.volume4j.core.node.view;

import org.jspecify.annotations.NullMarked;
