/**
 * Keeps what is in use from being removed: claims that pods use, volumes that are bound, volume attributes classes that
 * claims and volumes name. Pure functions; uses are counted by the indexes of {@code io.volume4j.core.control.run}, which
 * carries the plans out.
 */
package io.volume4j.core.control.protection;
