package io.volume4j.core.control.host.lead;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;

/**
 * Checks whether the controller may send a call with an effect. Its lease must last until no caller waits for the
 * call any longer.
 */
public final class LeaseCheck {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private LeaseCheck() {}

    /**
     * The time that a call may take, so that the call ends before the lease. If the lease is short, a tenth of its
     * remaining time is reserved for the time until the call begins.
     */
    public static Duration within(LeaderEpoch leader, Duration wanted) {
        Duration remaining = leader.remaining();
        if (remaining.compareTo(wanted.plus(wanted)) > 0) {
            return wanted;
        }
        Duration lease = remaining.multipliedBy(9).dividedBy(10);
        Duration shorter = lease.compareTo(wanted) < 0 ? lease : wanted;
        return shorter.compareTo(SHORTEST) < 0 ? SHORTEST : shorter;
    }

    /**
     * Returns normally if this process leads under the epoch until the call's deadline, and the deadline has not
     * passed. A call may have waited and pass its deadline before this check. Its caller has then given up, and the
     * leader may have changed.
     *
     * @throws VolumeException transient, if one of these conditions fails; the controller has sent nothing
     */
    public static void mustOutlast(LeaderEpoch leader, long epoch, CallContext context) {
        Duration left = context.remaining();
        if (left.isNegative() || left.isZero()) {
            throw VolumeException.transientFailure("the call's deadline was over before it could be sent");
        }
        if (leader.epoch() != epoch || leader.remaining().compareTo(left) < 0) {
            throw VolumeException.transientFailure("this process is not sure to lead until the call's deadline");
        }
    }
}
