/**
 * Leadership by a {@code Lease} object of the cluster: {@link io.volume4j.core.lease.LeaseElection} is the {@link
 * io.volume4j.spi.host.LeaderEpoch} of processes of which one may work at a time. {@code LeasePlanner} decides; read it first.
 *
 * <p>Depends on the SPI and on {@code core.engine} for its loop. No other package of the core depends on it.
 */
@NullMarked
package io.volume4j.core.lease;

import org.jspecify.annotations.NullMarked;
