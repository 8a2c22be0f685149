/**
 * Whether pods use a claim, as the condition {@code Unused} of the claim, with the time since when it is so. For people who look for
 * storage that no pod needs; no decision depends on it. {@link io.volume4j.core.control.unused.UnusedPlanner} decides about one claim.
 */
package io.volume4j.core.control.unused;
