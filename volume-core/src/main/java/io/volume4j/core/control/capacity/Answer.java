package io.volume4j.core.control.capacity;

import io.volume4j.spi.plugin.CapacityReporter.Capacity;

/**
 * What a plugin said last.
 *
 * @param at loop time when it was said
 * @param outdated whether something happened since that changes it
 */
public record Answer(Capacity capacity, long at, boolean outdated) {}
