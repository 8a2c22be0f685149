package io.volume4j.core.control.host.lead;

import io.volume4j.spi.host.LeaderEpoch;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Intents with a later epoch than the epoch of this process. A later leader of the same election can begin only after
 * this process's lease has ended. So this process leaves the intent alone until the end of the lease that it knew
 * when it first saw the intent. If this process then still leads under the same epoch, the intent comes from another
 * election. For example, a controller wrote it whose plugin has moved out since, or epochs began again at a lower
 * number. Then only this process continues the intent. Loop thread only.
 */
public final class NewerLeaderIntents {
    /** A process whose lease lasts longer than this is alone. */
    private static final Duration FOR_GOOD = Duration.ofDays(1);

    private static final Duration LOOK = Duration.ofSeconds(1);

    private record Seen(long epoch, long until) {}

    private final LeaderEpoch leader;
    private final LongSupplier ticker;
    /** By the UID of the object, and by the subject. */
    private final Map<String, Map<String, Seen>> byUid = new HashMap<>();

    private @Nullable Self term;

    /**
     *
     * @param ticker loop time, in nanoseconds
     */
    public NewerLeaderIntents(LeaderEpoch leader, LongSupplier ticker) {
        this.leader = leader;
        this.ticker = ticker;
    }

    /** The object with this UID is gone, with all its intents. */
    void forget(String uid) {
        byUid.remove(uid);
    }

    /**
     * The loop time, in nanoseconds, until which this process leaves an intent to the leader that wrote it. Empty if
     * this process need not leave it.
     *
     * @param uid the UID of the object that carries the intent
     * @param subject distinguishes the intents that one object may carry; {@code ""} if there is one
     * @param epoch of the intent
     */
    public OptionalLong leftUntil(String uid, String subject, long epoch, Self self) {
        if (!self.equals(term)) {
            term = self;
            byUid.clear();
        }
        if (epoch <= self.epoch()) {
            end(uid, subject);
            return OptionalLong.empty();
        }
        long now = ticker.getAsLong();
        Duration sure = leader.remaining();
        Map<String, Seen> ofObject = byUid.computeIfAbsent(uid, none -> new HashMap<>(2));
        @Nullable Seen known = ofObject.get(subject);
        if (known == null || known.epoch() != epoch) {
            known = new Seen(epoch, sure.compareTo(FOR_GOOD) > 0 ? now : now + Math.max(0, sure.toNanos()));
            ofObject.put(subject, known);
        }
        if (sure.isNegative() || sure.isZero()) {
            return OptionalLong.of(now + LOOK.toNanos());
        }
        return known.until() - now > 0 ? OptionalLong.of(known.until()) : OptionalLong.empty();
    }

    private void end(String uid, String subject) {
        @Nullable Map<String, Seen> ofObject = byUid.get(uid);
        if (ofObject != null && ofObject.remove(subject) != null && ofObject.isEmpty()) {
            byUid.remove(uid);
        }
    }
}
