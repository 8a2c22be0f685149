package io.volume4j.core.lease;

import java.time.Duration;

/**
 * The durations of a lease.
 *
 * @param lasts how long other processes wait after the last renewal that they saw before they take it; in whole seconds, like the
 *     Lease, so a fraction is dropped
 * @param leads how long its holder certainly leads after a renewal; shorter, so that clocks may run at different
 *     speeds
 * @param every the interval of renewals and reads
 */
record LeaseTimes(Duration lasts, Duration leads, Duration every) {
    LeaseTimes {
        if (lasts.toSeconds() < 1 || lasts.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a lease lasts at least a second, not " + lasts);
        }
        lasts = Duration.ofSeconds(lasts.toSeconds());
        if (leads.compareTo(lasts) >= 0) {
            throw new IllegalArgumentException(
                    "the renew deadline " + leads + " must be shorter than the lease duration " + lasts
                            + ", or two processes may lead at the same time");
        }
        if (every.isNegative() || every.isZero() || every.multipliedBy(2).compareTo(leads) > 0) {
            throw new IllegalArgumentException("the retry period " + every
                    + " must be positive and at most half of the renew deadline " + leads
                    + ", or one failed request ends the leadership");
        }
    }
}
