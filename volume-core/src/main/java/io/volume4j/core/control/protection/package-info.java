/**
 * Protects objects in use from removal: claims that pods use, bound volumes, and volume attributes classes of claims and volumes.
 * {@link io.volume4j.core.control.protection.ProtectionPlanner} decides; the host's facts show the users.
 *
 * <p>Depends on {@code core.control.host} alone.
 */
package io.volume4j.core.control.protection;
