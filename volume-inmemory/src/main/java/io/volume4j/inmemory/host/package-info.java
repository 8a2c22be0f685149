/**
 * In-memory implementations of a host's interfaces, except the cluster: secrets, configuration, a pod runtime,
 * recording sinks and a manual clock.
 *
 * <p>Depends on the SPI only. No class starts a thread, reads the system clock or blocks.
 */
package io.volume4j.inmemory.host;
