package io.volume4j.core.lease;

import io.volume4j.spi.model.Lease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The facts for the decision about a lease.
 *
 * @param lease the lease in the store, null for none
 * @param me identity of this process, which no other process ever has
 * @param unchanged for how long this process has seen the lease unchanged
 * @param patience the duration of a lease whose object contains none
 */
record LeaseView(@Nullable Lease lease, String me, Duration unchanged, Duration patience) {}
