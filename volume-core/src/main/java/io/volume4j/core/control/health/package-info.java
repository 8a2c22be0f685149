/**
 * Reports the health of bound volumes, as their plugins report it, with events and a condition of the claim. For
 * people: no decision depends on it. {@link io.volume4j.core.control.health.HealthPlanner} decides about one volume.
 */
package io.volume4j.core.control.health;
