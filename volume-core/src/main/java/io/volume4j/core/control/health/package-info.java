/**
 * How bound volumes are, by what their plugins say: for people, as events and as a condition of the claim. Nothing is decided by it.
 * {@link io.volume4j.core.control.health.HealthPlanner} decides about one volume; it has no loop of its own.
 */
package io.volume4j.core.control.health;
