package io.volume4j.core.control.host.lead;

import io.volume4j.core.operations.LeftoverProcesses;
import io.volume4j.spi.CallContext;
import io.volume4j.spi.host.LeaderEpoch;
import io.volume4j.spi.plugin.VolumePlugin;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Leadership as features use it. Call {@link #self}, {@link #epoch} and {@link #leftUntil} on the loop thread only.
 * Any thread may call {@link #mustOutlast} and {@link #ready}.
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

    /**
     * The epoch that the leader's lease has now. A call that the controller plans now must still have this epoch when
     * the controller sends it.
     */
    public long epochOfCall() {
        return leader.epoch();
    }

    /** Forgets all intents of the object with this UID, which is gone. */
    public void forget(String uid) {
        newer.forget(uid);
    }

    /**
     * The loop time, in nanoseconds, until which this process leaves an intent to the process that wrote it. Empty if
     * this process need not leave it.
     *
     * @param uid the UID of the object that carries the intent
     * @param subject distinguishes the intents that one object may carry; {@code ""} if there is one
     * @param epoch of the intent
     */
    public OptionalLong leftUntil(String uid, String subject, long epoch) {
        return self.get()
                .map(leading -> newer.leftUntil(uid, subject, epoch, leading))
                .orElse(OptionalLong.empty());
    }

    /** See {@link LeaseCheck#mustOutlast}. */
    public void mustOutlast(long epoch, CallContext context) {
        LeaseCheck.mustOutlast(leader, epoch, context);
    }

    /**
     * Blocks until no program of an earlier process works for the plugin any more. Then the controller may send a
     * call with effects.
     */
    public void ready(VolumePlugin plugin, long epoch) {
        leftovers.mustHaveEnded(plugin, Long.toString(epoch));
    }
}
