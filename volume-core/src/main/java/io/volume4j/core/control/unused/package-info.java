/**
 * Writes the condition {@code Unused} of claims: whether no pod uses the claim, and since when. For users who search for unused
 * storage; no decision depends on it. {@link io.volume4j.core.control.unused.UnusedPlanner} decides about one claim.
 */
package io.volume4j.core.control.unused;
