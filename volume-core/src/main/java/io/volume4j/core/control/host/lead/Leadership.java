package io.volume4j.core.control.host.lead;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.core.steplog.ControlLog;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether this process leads, according to the last check on the loop. Loop thread only. */
public final class Leadership {
    private final String controller;
    private final LeaderEpoch leader;
    private final LeaseWatch lease;
    private final String process;
    private final Runnable onGain;
    private final Runnable onLoss;
    private @Nullable Self self;

    /**
     * @param controller its name, for the log
     * @param onGain called when this process begins to lead, and when it continues to lead under another epoch
     * @param onLoss called when this process no longer leads; not called between two epochs
     */
    public Leadership(
            String controller, LeaderEpoch leader, EventLoop loop, String process, Runnable onGain, Runnable onLoss) {
        this.controller = controller;
        this.leader = leader;
        this.lease = new LeaseWatch(leader, loop, this::look);
        this.process = process;
        this.onGain = onGain;
        this.onLoss = onLoss;
    }

    public void watch() {
        lease.start();
    }

    public void close() {
        lease.close();
    }

    private void look() {
        @Nullable Self before = self;
        Duration remaining = leader.remaining();
        if (remaining.isNegative() || remaining.isZero()) {
            self = null;
        } else if (before == null || before.epoch() != leader.epoch()) {
            self = new Self(leader.epoch(), process);
        }
        if (self != null && !self.equals(before)) {
            ControlLog.leads(controller, self.epoch());
            boolean begun = false;
            try {
                onGain.run();
                begun = true;
            } finally {
                if (!begun) {
                    // The next look tries again.
                    self = before;
                }
            }
        } else if (self == null && before != null) {
            ControlLog.leadsNoMore(controller);
            onLoss.run();
        }
    }

    /** This process while it leads. */
    public Optional<Self> self() {
        return Optional.ofNullable(self);
    }
}
