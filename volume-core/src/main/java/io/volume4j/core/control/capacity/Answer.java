package io.volume4j.core.control.capacity;

import io.volume4j.spi.plugin.CapacityReporter.Capacity;

/**
 * The plugin's last answer.
 *
 * @param at loop time of the answer
 * @param outdated whether a later event makes it invalid
 */
public record Answer(Capacity capacity, long at, boolean outdated) {}
