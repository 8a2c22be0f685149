package io.volume4j.core.lease;

import io.volume4j.spi.model.Lease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What decides about a lease.
 *
 * @param lease as the store has it now, null if it has none
 * @param me identity of this process, which no other process ever has
 * @param unchanged for how long this process has seen the lease unchanged
 * @param patience after how long an unchanged lease is over whose object does not say how long it lasts
 */
record LeaseView(@Nullable Lease lease, String me, Duration unchanged, Duration patience) {}
