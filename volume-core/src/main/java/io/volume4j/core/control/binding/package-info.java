/**
 * Claims and volumes: what is to be done about each, as pure functions, and the indexes that matching needs.
 *
 * <p>Start with {@link io.volume4j.core.control.binding.ClaimPlanner} and {@link
 * io.volume4j.core.control.binding.VolumePlanner}; their tables stand in {@code docs/binding.md}. Planners read a view,
 * which is a value, and give a plan; the indexes ({@code AvailableVolumes}, {@code Reservations}, {@code WaitingClaims})
 * belong to one event loop. Nothing here calls a plugin or the cluster, reads a clock or logs.
 *
 * <p>Depends on the model and on the engine's {@code Plan}, {@code Step} and {@code ConflictKey}. {@code
 * io.volume4j.core.control} carries the plans out; nothing here may depend on it.
 */
package io.volume4j.core.control.binding;
