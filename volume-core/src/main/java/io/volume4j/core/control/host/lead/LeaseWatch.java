package io.volume4j.core.control.host.lead;

import io.volume4j.core.engine.EventLoop;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the lease of this process when it may have changed: when the host reports a change, and when the known
 * remaining time is over. If the host does not report changes, the watch checks once a second. A lease with more than
 * one day left is checked once a day, so that a process without other candidates sleeps. Loop thread only.
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
    /** Whether the host did not answer the last question. */
    private boolean silent;

    /**
     *
     * @param look checks the lease and acts on the result; runs on the loop
     */
    public LeaseWatch(LeaderEpoch leader, EventLoop loop, Runnable look) {
        this.leader = leader;
        this.loop = loop;
        this.look = look;
    }

    /** Checks the lease now, and then whenever it may have changed. */
    public void start() {
        if (closed) {
            return;
        }
        // The listener is added before the first check, so that no change between the two is missed.
        try {
            told = leader.addListener(listener);
        } catch (Throwable failure) {
            silent(failure);
        }
        again();
    }

    /** Ends the watch. No check follows. */
    public void close() {
        closed = true;
        next.cancel();
        try {
            leader.removeListener(listener);
        } catch (Throwable failure) {
            // The closed watch ignores later messages. Other watches must still be ended.
            LOG.atWarn().setCause(failure).log("the host failed to remove the listener of its lease");
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
        @Nullable Duration remaining = remaining();
        if (remaining == null) {
            lookAfter(LOOK);
            return;
        }
        look();
        if (remaining.compareTo(FOR_GOOD) > 0) {
            lookAfter(FOR_GOOD);
        } else if (!told) {
            lookAfter(LOOK);
        } else if (remaining.compareTo(Duration.ZERO) > 0) {
            lookAfter(remaining);
        }
    }

    /**
     * Null if the host cannot answer now. The watch then asks again after a second, because no other part does. A
     * failure must not reach the part that starts the watch: it would start nothing else.
     */
    private @Nullable Duration remaining() {
        try {
            Duration remaining = Objects.requireNonNull(
                    leader.remaining(), "remaining() returned null; it must return zero if this process does not lead");
            silent = false;
            return remaining;
        } catch (Throwable failure) {
            silent(failure);
            return null;
        }
    }

    /** One line for an outage, independent of its length. */
    private void silent(Throwable failure) {
        if (!silent) {
            silent = true;
            LOG.atWarn()
                    .setCause(failure)
                    .addKeyValue("leader", leader.getClass().getName())
                    .log("the host cannot say whether this process leads; it is asked each second");
        }
    }

    private void look() {
        boolean looked = false;
        try {
            look.run();
            looked = true;
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
