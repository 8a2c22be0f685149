/**
 * Larger volumes and other attributes for claims that have one: what is to be done, as pure functions.
 *
 * <p>Start with {@link io.volume4j.core.control.expand.ExpandPlanner} and {@link
 * io.volume4j.core.control.expand.ModifyPlanner}; their tables stand in {@code docs/expansion.md}. Nothing here calls a
 * plugin or the cluster, reads a clock or logs; {@code io.volume4j.core.control.run} carries the plans out.
 */
package io.volume4j.core.control.expand;
