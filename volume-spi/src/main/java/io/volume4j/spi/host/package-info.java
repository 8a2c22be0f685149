/**
 * What a host gives: the cluster it keeps its objects in, secrets, what it knows of running pods, and where events and
 * metrics go. Everything but the cluster has a default.
 *
 * <p>Hosts implement these interfaces; the library calls them as each says. May depend on {@link io.volume4j.spi} and its
 * model only.
 */
package io.volume4j.spi.host;
