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
 * Which controller leads. A leader that runs and reaches the cluster renews its lease by itself, all the time. One that was
 * overtaken does not know it until the lease that it believes in has ended; the next one leads from then on.
 *
 * <p>In worlds that tell of leaders a process hears when that changes, in rough weather late. In others it has to ask.
 */
final class Leases {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final long LEASE_NANOS = LEASE.toNanos();

    private final VirtualScheduler scheduler;
    private final Weather weather;
    private final boolean tells;
    /** What the running incarnation of each process knows. */
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

    /** The process leads, under a new epoch, as soon as no other can still believe that it does. */
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

    /** Its lease is as long as it can be now; to be called before it dies, is cut off, or is overtaken. */
    void renew(SimProcess process) {
        View view = views.get(process);
        // Where they ask each second, they have renewed it just before.
        if (tells && view != null && process.alive()) {
            view.renew();
        }
    }

    /** The process reaches the cluster again: what is left of its lease counts again. */
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
