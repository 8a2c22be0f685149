package io.volume4j.core.lease;

import io.volume4j.spi.model.Lease;
import java.time.Duration;

/**
 * The whole policy of an election:
 *
 * <ol>
 *   <li>Where there is no lease, the process creates it.
 *   <li>A process that holds the lease renews it.
 *   <li>A lease that its holder gave back is taken at once.
 *   <li>A lease of another process is taken when it was seen unchanged for as long as it says that it lasts. The clocks of two
 *       processes are never compared: only a change of the object says that its holder lives.
 * </ol>
 */
final class LeasePlanner {
    private LeasePlanner() {}

    /** What is to be done about the lease. */
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
