package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.Self;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether this process leads, as the loop last saw it. Loop thread only. */
final class Leadership {
    private final LeaderEpoch leader;
    private final LeaseWatch lease;
    private final String process;
    private final String finalizer;
    private final Runnable onGain;
    private @Nullable Self self;

    /**
     * @param finalizer see {@link Self}
     * @param onGain called when this process begins to lead, also when it does so anew under another epoch
     */
    Leadership(LeaderEpoch leader, EventLoop loop, String process, String finalizer, Runnable onGain) {
        this.leader = leader;
        this.lease = new LeaseWatch(leader, loop, this::look);
        this.process = process;
        this.finalizer = finalizer;
        this.onGain = onGain;
    }

    void watch() {
        lease.start();
    }

    void close() {
        lease.close();
    }

    private void look() {
        @Nullable Self before = self;
        Duration remaining = leader.remaining();
        if (remaining.isNegative() || remaining.isZero()) {
            self = null;
        } else if (before == null || before.epoch() != leader.epoch()) {
            self = new Self(leader.epoch(), process, finalizer);
        }
        if (self != null && !self.equals(before)) {
            onGain.run();
        }
    }

    /** This process while it leads. */
    Optional<Self> self() {
        return Optional.ofNullable(self);
    }
}
