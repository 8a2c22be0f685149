/**
 * What a host gives besides its cluster, in memory: secrets, configuration, what it knows of pods, sinks that remember,
 * and a clock that is moved by hand.
 *
 * <p>Depends on the SPI only. Nothing here starts a thread, reads a clock or blocks.
 */
package io.volume4j.inmemory.host;
