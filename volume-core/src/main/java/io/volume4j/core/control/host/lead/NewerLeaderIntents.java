package io.volume4j.core.control.host.lead;

import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Intents that tell of a later leader than this process. One of the same election can have begun only when this process's lease had
 * ended; so an intent is left to it until the lease is over that this process was sure of when it saw the intent first. If this
 * process leads still, under the same epoch, the intent is of another election: of a controller whose plugin has moved out since, or
 * from before epochs began anew. Only this process goes on with it then. Loop thread only.
 */
public final class NewerLeaderIntents {
    /** Who is sure to lead for longer than this is alone. */
    private static final Duration FOR_GOOD = Duration.ofDays(1);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private record Seen(long epoch, long until) {}

    private final LeaderEpoch leader;
    private final LongSupplier ticker;
    private final Map<String, Seen> byUid = new HashMap<>();
    private @Nullable Self term;

    /** @param ticker loop time */
    public NewerLeaderIntents(LeaderEpoch leader, LongSupplier ticker) {
        this.leader = leader;
        this.ticker = ticker;
    }

    /**
     * The loop time until which an intent is left to the leader that wrote it; empty if it is not.
     *
     * @param uid of the object that carries the intent, with what the intent is about where an object may carry several
     * @param epoch of the intent
     */
    public OptionalLong leftUntil(String uid, long epoch, Self self) {
        if (!self.equals(term)) {
            term = self;
            byUid.clear();
        }
        if (epoch <= self.epoch()) {
            byUid.remove(uid);
            return OptionalLong.empty();
        }
        long now = ticker.getAsLong();
        Duration sure = leader.remaining();
        @Nullable Seen known = byUid.get(uid);
        if (known == null || known.epoch() != epoch) {
            known = new Seen(epoch, sure.compareTo(FOR_GOOD) > 0 ? now : now + Math.max(0, sure.toNanos()));
            byUid.put(uid, known);
        }
        if (sure.isNegative() || sure.isZero()) {
            return OptionalLong.of(now + LOOK.toNanos());
        }
        return known.until() - now > 0 ? OptionalLong.of(known.until()) : OptionalLong.empty();
    }
}
