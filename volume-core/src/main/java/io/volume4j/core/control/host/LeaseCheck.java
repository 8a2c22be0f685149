package io.volume4j.core.control.host;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;

/** Whether a call with an effect may be sent: what leads must be sure to lead until nobody waits for the call any longer. */
public final class LeaseCheck {
    private LeaseCheck() {}

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
