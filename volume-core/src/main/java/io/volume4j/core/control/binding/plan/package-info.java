/**
 * Claims and volumes: what is to be done about each, as pure functions.
 *
 * <p>Start with {@link io.volume4j.core.control.binding.plan.ClaimPlanner} and {@link
 * io.volume4j.core.control.binding.plan.VolumePlanner}; their tables stand in {@code docs/binding.md}. Planners read a view,
 * which is a value, and give a plan. Nothing here calls a plugin or the cluster, reads a clock or logs.
 *
 * <p>Depends on the model, on what {@code binding.match} finds, on the steps that the host knows, and on the engine's {@code Plan},
 * {@code Step} and {@code ConflictKey}. The feature in {@link io.volume4j.core.control.binding} carries the plans out; nothing here may
 * depend on it.
 */
package io.volume4j.core.control.binding.plan;
