package io.volume4j.core.control.expand;

/**
 * That a node was seen to have given up expanding a volume.
 *
 * @param at loop time at which that was seen first
 * @param wantedBytes what the claim requested then: another request is a reason to ask again at once, the same one is not
 */
public record NodeRefusal(long at, long wantedBytes) {}
