package io.volume4j.inmemory.sim;

import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The election of controllers. A running leader that reaches the cluster always renews its lease. A deposed leader does not
 * notice it before its lease ends; the next leader starts then.
 *
 * <p>In worlds that notify about leaders, each process gets the change, in rough weather late. In other worlds it must ask.
 */
final class Leases {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final long LEASE_NANOS = LEASE.toNanos();

    private final VirtualScheduler scheduler;
    private final Weather weather;
    private final boolean tells;
    /** The view of each process's running incarnation. */
    private final Map<SimProcess, View> views = new HashMap<>();

    private long epoch;
    private long lastUntil;
    private @Nullable SimProcess elected;
    private @Nullable SimProcess holder;

    Leases(VirtualScheduler scheduler, Weather weather, boolean tells) {
        this.scheduler = scheduler;
        this.weather = weather;
        this.tells = tells;
    }

    /** Makes the process the leader, with a new epoch, when the leases of all others have ended. */
    void grant(SimProcess process) {
        if (holder != null) {
            renew(holder);
        }
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
            tell(process);
        }
    }

    /** Renews the lease for its full time; must be called before the process dies, is cut off, or is deposed. */
    void renew(SimProcess process) {
        View view = views.get(process);
        // Processes that ask each second have just renewed the lease.
        if (tells && view != null && process.alive()) {
            view.renew();
        }
    }

    /** The process reaches the cluster again, so the rest of its lease is valid again. */
    void joined(SimProcess process) {
        if (process.equals(holder)) {
            tell(process);
        }
    }

    private void tell(SimProcess process) {
        View view = views.get(process);
        if (view != null) {
            view.tell();
        }
    }

    /** The leader, or the next one. */
    @Nullable
    SimProcess elected() {
        return elected;
    }

    /** The leader. */
    @Nullable
    SimProcess holder() {
        return holder;
    }

    /** What the current incarnation of the process knows about its leadership. */
    LeaderEpoch of(SimProcess process) {
        View view = new View(process);
        views.put(process, view);
        return view;
    }

    private final class View implements LeaderEpoch {
        private final SimProcess process;
        private final List<Runnable> listeners = new ArrayList<>();
        private long mine;
        private long until;

        View(SimProcess process) {
            this.process = process;
        }

        @Override
        public boolean addListener(Runnable listener) {
            if (tells) {
                listeners.add(listener);
            }
            return tells;
        }

        @Override
        public void removeListener(Runnable listener) {
            listeners.remove(listener);
        }

        void tell() {
            for (Runnable listener : listeners) {
                Duration late = weather.delay(weather.turbulence().watchTrouble());
                if (late.isZero()) {
                    listener.run();
                } else {
                    scheduler.later(late, listener);
                }
            }
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
