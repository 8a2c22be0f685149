package io.volume4j.core.control.host.lead;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;

/** Whether a call with an effect may be sent: what leads must be sure to lead until no caller waits for the call any longer. */
public final class LeaseCheck {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private LeaseCheck() {}

    /** The deadline of a call: no call outlasts the lease. A tenth of what is left is kept back for the way there. */
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
     * Returns if this process leads under the epoch, and does so until the call's deadline, which is still to come. A call that
     * comes to this behind its deadline, because it waited for something before, was written off; nothing is known of who leads
     * by then.
     *
     * @throws VolumeException transient, if not; nothing was sent
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
