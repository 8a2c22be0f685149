package io.volume4j.core.control.attach.call;

import io.volume4j.core.control.host.lead.LeaseCheck;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;

/**
 * The term in which this process leads, and the generation that it writes on records that it takes over. A call near the end of the
 * term either has enough time left, or the store refuses it because the next leader has written since.
 */
public final class LeaderTerm {
    private final LeaderEpoch leader;
    private final long epoch;
    private final String generation;

    /** @param process different for every start of a controller */
    public LeaderTerm(LeaderEpoch leader, long epoch, String process) {
        this.leader = leader;
        this.epoch = epoch;
        this.generation = epoch + "." + process;
    }

    public String generation() {
        return generation;
    }

    public boolean goesOn() {
        return leader.epoch() == epoch && leader.remaining().compareTo(Duration.ZERO) > 0;
    }

    /** See {@link LeaseCheck#within}. */
    Duration deadline(Duration wanted) {
        return LeaseCheck.within(leader, wanted);
    }

    /** Worker threads call this before they send anything. */
    void mustOutlast(CallContext context) {
        LeaseCheck.mustOutlast(leader, epoch, context);
    }
}
