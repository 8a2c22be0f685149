/**
 * Events as objects of the cluster: {@link io.volume4j.core.events.ClusterEvents} is an
 * {@link io.volume4j.spi.host.EventSink}. {@code EventSeries} decides which events are written; read it first.
 *
 * <p>Depends on the SPI, on {@code core.engine} for its loop, and on {@code core.request}. No other package of the core
 * depends on it.
 */
@NullMarked
package io.volume4j.core.events;

import org.jspecify.annotations.NullMarked;
