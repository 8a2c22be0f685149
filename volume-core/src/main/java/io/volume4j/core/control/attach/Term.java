package io.volume4j.core.control.attach;

import io.volume4j.core.control.host.LeaseCheck;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;

/**
 * The time for which this process leads, and the generation that it stamps on what it takes over. What is sent while it
 * ends was either sent with time enough, or is refused by the store because the next leader has written since.
 */
final class Term {
    private final LeaderEpoch leader;
    private final long epoch;
    private final String generation;

    /**
     * @param process different for every start of a controller
     */
    Term(LeaderEpoch leader, long epoch, String process) {
        this.leader = leader;
        this.epoch = epoch;
        this.generation = epoch + "." + process;
    }

    String generation() {
        return generation;
    }

    boolean goesOn() {
        return leader.epoch() == epoch && leader.remaining().compareTo(Duration.ZERO) > 0;
    }

    /** No call outlasts the lease; a tenth of what is left is kept back for the way there. */
    Duration deadline(Duration wanted) {
        Duration remaining = leader.remaining();
        if (remaining.compareTo(wanted.plus(wanted)) > 0) {
            return wanted;
        }
        Duration lease = remaining.multipliedBy(9).dividedBy(10);
        Duration shorter = lease.compareTo(wanted) < 0 ? lease : wanted;
        return shorter.compareTo(Duration.ofMillis(1)) < 0 ? Duration.ofMillis(1) : shorter;
    }

    /** Called on the worker before anything is sent. */
    void mustOutlast(CallContext context) {
        LeaseCheck.mustOutlast(leader, epoch, context);
    }
}
