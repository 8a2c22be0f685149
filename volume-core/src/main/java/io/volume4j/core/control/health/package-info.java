/**
 * Reports the health of bound volumes from their plugins, with events and a condition of the claim. For users: no decision depends
 * on it. {@link io.volume4j.core.control.health.HealthPlanner} decides about one volume.
 */
package io.volume4j.core.control.health;
