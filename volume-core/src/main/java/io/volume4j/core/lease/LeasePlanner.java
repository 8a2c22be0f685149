package io.volume4j.core.lease;

import io.volume4j.spi.model.Lease;
import java.time.Duration;

/**
 * The whole policy of an election:
 *
 * <ol>
 *   <li>If there is no lease, the process creates it.
 *   <li>A process that holds the lease renews it.
 *   <li>The process takes a lease without a holder at once.
 *   <li>The process takes a lease of another process after it has seen the lease unchanged for its duration. The
 *       policy never compares the clocks of two processes: only a change of the object proves that its holder lives.
 * </ol>
 */
final class LeasePlanner {
    private LeasePlanner() {}

    /** The action for the lease. */
    enum Action {
        CREATE,
        RENEW,
        TAKE,
        STAND_BY
    }

    static Action plan(LeaseView view) {
        Lease lease = view.lease();
        if (lease == null) {
            return Action.CREATE;
        }
        String holder = lease.spec().holderIdentity();
        if (holder.equals(view.me())) {
            return Action.RENEW;
        }
        if (holder.isEmpty()) {
            return Action.TAKE;
        }
        long seconds = lease.spec().leaseDurationSeconds();
        Duration lasts = seconds > 0 ? Duration.ofSeconds(seconds) : view.patience();
        return view.unchanged().compareTo(lasts) >= 0 ? Action.TAKE : Action.STAND_BY;
    }
}
