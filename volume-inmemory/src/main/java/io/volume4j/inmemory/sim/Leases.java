package io.volume4j.inmemory.sim;

import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which controller leads. A leader that runs and reaches the cluster renews its lease by itself. One that was overtaken does
 * not know it until the lease that it believes in has ended; the next one leads from then on.
 */
final class Leases {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final long LEASE_NANOS = LEASE.toNanos();

    private final VirtualScheduler scheduler;
    private long epoch;
    private long lastUntil;
    private @Nullable SimProcess elected;
    private @Nullable SimProcess holder;

    Leases(VirtualScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** The process leads, under a new epoch, as soon as no other can still believe that it does. */
    void grant(SimProcess process) {
        elected = process;
        holder = null;
        long wait = lastUntil - scheduler.nanos();
        if (wait <= 0) {
            lead(process);
        } else {
            scheduler.later(Duration.ofNanos(wait), () -> lead(process));
        }
    }

    private void lead(SimProcess process) {
        if (process.equals(elected)) {
            epoch++;
            holder = process;
        }
    }

    /** Who leads, or is about to. */
    @Nullable
    SimProcess elected() {
        return elected;
    }

    /** Who leads. */
    @Nullable
    SimProcess holder() {
        return holder;
    }

    /** What the present incarnation of the process can know of its leadership. */
    LeaderEpoch of(SimProcess process) {
        return new View(process);
    }

    private final class View implements LeaderEpoch {
        private final SimProcess process;
        private long mine;
        private long until;

        View(SimProcess process) {
            this.process = process;
        }

        @Override
        public long epoch() {
            renew();
            return mine;
        }

        @Override
        public Duration remaining() {
            return renew() ? LEASE : Duration.ofNanos(Math.max(0, until - scheduler.nanos()));
        }

        private boolean renew() {
            if (!process.equals(holder) || process.partitioned()) {
                return false;
            }
            mine = epoch;
            until = scheduler.nanos() + LEASE_NANOS;
            lastUntil = until;
            return true;
        }
    }
}
