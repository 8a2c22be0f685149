package io.volume4j.core.control.host.lead;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Leadership as features use it. {@link #self}, {@link #epoch} and {@link #leftUntil} belong to the loop; {@link #mustOutlast} and
 * {@link #ready} may be called on any thread.
 */
public final class Lead {
    private final LeaderEpoch leader;
    private final Supplier<Optional<Self>> self;
    private final NewerLeaderIntents newer;
    private final LeftoverProcesses leftovers;

    public Lead(
            LeaderEpoch leader, Supplier<Optional<Self>> self, NewerLeaderIntents newer, LeftoverProcesses leftovers) {
        this.leader = leader;
        this.self = self;
        this.newer = newer;
        this.leftovers = leftovers;
    }

    /** This process while it leads, empty while it does not. */
    public Optional<Self> self() {
        return self.get();
    }

    /** The epoch of this process while it leads, 0 while it does not. */
    public long epoch() {
        return self.get().map(Self::epoch).orElse(0L);
    }

    /** The epoch that a call must still have when it is sent, which the leader's lease says now. */
    public long epochOfCall() {
        return leader.epoch();
    }

    /**
     * The loop time until which an intent is left to the process that wrote it; empty if it is not.
     *
     * @param intent the UID of the object that carries the intent, with what the intent is about where an object may carry several
     * @param epoch of the intent
     */
    public OptionalLong leftUntil(String intent, long epoch) {
        return self.get()
                .map(leading -> newer.leftUntil(intent, epoch, leading))
                .orElse(OptionalLong.empty());
    }

    /** See {@link LeaseCheck#mustOutlast}. */
    public void mustOutlast(long epoch, CallContext context) {
        LeaseCheck.mustOutlast(leader, epoch, context);
    }

    /** Returns when no program of an earlier process works for the plugin any more, so that a call with effects may be sent. */
    public void ready(VolumePlugin plugin, long epoch) {
        leftovers.mustHaveEnded(plugin, Long.toString(epoch));
    }
}
