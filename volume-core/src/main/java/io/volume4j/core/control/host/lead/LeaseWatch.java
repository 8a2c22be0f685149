package io.volume4j.core.control.host.lead;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the lease of this process looked at when what it says can have changed: when the host tells so, and when the time is
 * over that this process was sure of. A host that does not tell is asked once a second, but for a lease that lasts for days, so
 * that a process that is alone is never woken. Loop thread only.
 */
public final class LeaseWatch {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration FOR_GOOD = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(LeaseWatch.class);

    private final LeaderEpoch leader;
    private final EventLoop loop;
    private final Runnable look;
    private final Runnable listener = this::changed;
    private EventLoop.Timer next = () -> {};
    private boolean told;
    private boolean closed;

    /** @param look looks at the lease and does what comes of it; on the loop */
    public LeaseWatch(LeaderEpoch leader, EventLoop loop, Runnable look) {
        this.leader = leader;
        this.loop = loop;
        this.look = look;
    }

    /** Looks now and from now on. */
    public void start() {
        if (closed) {
            return;
        }
        // Heard from before the first look: what changes between the two is not missed.
        told = leader.addListener(listener);
        again();
    }

    /** The watch is closed. */
    public void close() {
        closed = true;
        next.cancel();
        try {
            leader.removeListener(listener);
        } catch (RuntimeException | Error failure) {
            // Later messages are ignored; other watches are still to be ended.
            LOG.warn("action=stop-listening-to-lease", failure);
        }
    }

    private void changed() {
        loop.execute(this::again);
    }

    private void again() {
        if (closed) {
            return;
        }
        next.cancel();
        Duration remaining = lookedAt();
        if (remaining.compareTo(FOR_GOOD) > 0) {
            lookAfter(FOR_GOOD);
        } else if (!told) {
            lookAfter(LOOK);
        } else if (remaining.compareTo(Duration.ZERO) > 0) {
            lookAfter(remaining);
        }
    }

    /** A host that cannot answer now is asked again: no other part would do that. */
    private Duration lookedAt() {
        boolean looked = false;
        try {
            Duration remaining = leader.remaining();
            look.run();
            looked = true;
            return remaining;
        } finally {
            if (!looked && !closed) {
                lookAfter(LOOK);
            }
        }
    }

    private void lookAfter(Duration time) {
        next = loop.schedule(time, this::again);
    }
}
