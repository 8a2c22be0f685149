package io.volume4j.core.control.expand;

/**
 * A node's permanent failure to expand a volume.
 *
 * @param at loop time at which the controller saw it first
 * @param wantedBytes the claim's request at that time; a different request causes a retry at once
 */
public record NodeRefusal(long at, long wantedBytes) {}
