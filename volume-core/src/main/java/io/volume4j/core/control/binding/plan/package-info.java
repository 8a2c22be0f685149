/**
 * The planners for claims and volumes, as pure functions.
 *
 * <p>Start with {@link io.volume4j.core.control.binding.plan.ClaimPlanner} and {@link
 * io.volume4j.core.control.binding.plan.VolumePlanner}; {@code docs/binding.md} has their tables. A planner gets a
 * view, which is a value, and returns a plan. The package calls no plugin and no cluster, reads no clock and does not
 * log.
 *
 * <p>Depends on the model, on what {@code binding.match} finds, on the steps that the host knows, and on the engine's
 * {@code Plan}, {@code Step} and {@code ConflictKey}. The feature in {@link io.volume4j.core.control.binding}
 * executes the plans; this package must not depend on it.
 */
package io.volume4j.core.control.binding.plan;
