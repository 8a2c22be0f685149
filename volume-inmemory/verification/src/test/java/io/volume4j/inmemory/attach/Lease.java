package io.volume4j.inmemory.attach;

import io.volume4j.inmemory.virtual.VirtualScheduler;
import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;

/** A lease that one of several processes holds. It is renewed by magic until another process is to have it. */
final class Lease {
    private static final Duration TERM = Duration.ofMinutes(5);

    private final VirtualScheduler world;
    private String holder = "";
    private long epoch;
    private Duration ends = Duration.ZERO;

    Lease(VirtualScheduler world) {
        this.world = world;
    }

    /** The process leads at once, as the holder before has let go. */
    void give(String process) {
        holder = process;
        epoch++;
        ends = world.elapsed().plus(TERM);
    }

    LeaderEpoch of(String process) {
        return new LeaderEpoch() {
            @Override
            public long epoch() {
                return epoch;
            }

            @Override
            public Duration remaining() {
                return holder.equals(process) ? TERM : Duration.ZERO;
            }
        };
    }

    Duration ends() {
        return ends;
    }
}
