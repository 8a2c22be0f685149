/**
 * Compares both states of world for the planner: the view of each volume, what a step is about, what a mount still needs, and how
 * large a volume must become.
 *
 * <p>May depend on {@code node.state}, {@code node.desired}, {@code node.actual} and {@code node.attach}. Changes no state.
 */
@NullMarked
package io.volume4j.core.node.view;

import org.jspecify.annotations.NullMarked;
