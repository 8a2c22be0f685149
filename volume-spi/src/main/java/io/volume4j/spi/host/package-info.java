/**
 * Interfaces that a host implements: the cluster with its objects, secrets, the state of running pods, and receivers
 * of events and metrics. All have a default, except the cluster.
 *
 * <p>The library calls these interfaces; each documents its threads. The package depends on {@link io.volume4j.spi}
 * and its model only.
 */
package io.volume4j.spi.host;
