/**
 * Leadership by a {@code Lease} object of the cluster: {@link io.volume4j.core.lease.LeaseElection} is a
 * {@link io.volume4j.spi.host.LeaderEpoch} for several processes, only one of which may work at a time.
 * {@code LeasePlanner} makes the decisions; read it first.
 *
 * <p>Depends on the SPI, on {@code core.engine} for its loop, on {@code core.request} and on {@code core.explain}. No
 * other package of the core depends on it.
 */
@NullMarked
package io.volume4j.core.lease;

import org.jspecify.annotations.NullMarked;
