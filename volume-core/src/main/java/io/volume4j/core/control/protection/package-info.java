/**
 * Keeps what is in use from being removed: claims that pods use, volumes that are bound, volume attributes classes that
 * claims and volumes name.
 * {@link io.volume4j.core.control.protection.ProtectionPlanner} decides; who uses what is a fact of the host.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.protection;
