package io.volume4j.core.control.run;

import io.volume4j.core.control.binding.Self;
import io.volume4j.core.engine.EventLoop;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether this process leads, as the loop last saw it. A lease is looked at once a second; one that lasts for days is not,
 * so that a process that is alone is never woken by it. Loop thread only.
 */
final class Leadership {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration FOR_GOOD = Duration.ofDays(1);

    private final LeaderEpoch leader;
    private final EventLoop loop;
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
        this.loop = loop;
        this.process = process;
        this.finalizer = finalizer;
        this.onGain = onGain;
    }

    void watch() {
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
        loop.schedule(remaining.compareTo(FOR_GOOD) > 0 ? FOR_GOOD : LOOK, this::watch);
    }

    /** This process while it leads. */
    Optional<Self> self() {
        return Optional.ofNullable(self);
    }
}
