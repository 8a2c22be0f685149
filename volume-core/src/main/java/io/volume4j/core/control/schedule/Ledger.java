package io.volume4j.core.control.schedule;

import io.volume4j.spi.model.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decisions for pods that are not visible in the cluster's objects yet. So pods decided at the same time do not get the same
 * volume, bytes or places. In memory only: before a pod gets its node, its promises are written to its claims and volumes, and a
 * restarted process reads them from there.
 *
 * <p>Promised bytes are released when the pod gives them up or the claim is deleted. They are also released when the volume exists
 * and the driver has published the pool again. If the driver does not publish for a while, its report already counts that volume,
 * and the bytes are released too. Times are nanoseconds of a monotonic clock: a step of the wall clock must neither release bytes
 * that no report counts yet, nor keep them. Not thread-safe.
 */
final class Ledger {
    /** How long a driver may take to publish a pool again after it created a volume. */
    static final Duration PUBLISHED_WITHIN = Duration.ofMinutes(2);

    /** A pod with a promised node. */
    record Hold(String podUid, ObjectKey pod, String node, List<Decision> decisions) {
        Hold {
            decisions = Collections.unmodifiableList(new ArrayList<>(decisions));
        }
    }

    private static final class Promise {
        final ObjectKey pool;
        final long bytes;
        boolean written;

        /** When the volume existed; null before. */
        @Nullable
        Long made;

        Promise(ObjectKey pool, long bytes) {
            this.pool = pool;
            this.bytes = bytes;
        }
    }

    private static final class Shared {
        final Decision decision;
        final Set<String> pods = new LinkedHashSet<>();

        Shared(Decision decision) {
            this.decision = decision;
        }
    }

    private final CapacityIndex capacity;
    private final Map<String, Hold> holds = new LinkedHashMap<>();
    private final Map<String, Shared> decided = new HashMap<>();
    private final Map<String, String> volumes = new HashMap<>();
    private final Map<String, Promise> promises = new LinkedHashMap<>();

    Ledger(CapacityIndex capacity) {
        this.capacity = capacity;
    }

    Optional<Hold> hold(String podUid) {
        return Optional.ofNullable(holds.get(podUid));
    }

    /** The current decision for the claim. */
    Optional<Decision> decision(String claimUid) {
        return Optional.ofNullable(decided.get(claimUid)).map(shared -> shared.decision);
    }

    /** Whether the volume is promised to a claim. */
    boolean promised(String volumeName) {
        return volumes.containsKey(volumeName);
    }

    /** The pool whose bytes are promised to the claim. */
    Optional<ObjectKey> pool(String claimUid) {
        return Optional.ofNullable(promises.get(claimUid)).map(promise -> promise.pool);
    }

    /** Whether bytes are promised to the claim. */
    boolean hasBytes(String claimUid) {
        return promises.containsKey(claimUid);
    }

    int size() {
        return holds.size();
    }

    void add(Hold hold) {
        holds.put(hold.podUid(), hold);
        for (Decision decision : hold.decisions()) {
            Shared shared = decided.computeIfAbsent(decision.uid(), uid -> new Shared(decision));
            shared.pods.add(hold.podUid());
            if (decision.volume() != null) {
                volumes.put(decision.volume(), decision.uid());
            }
            if (decision.pool() != null) {
                promise(decision.uid(), decision.pool(), decision.bytes());
            }
        }
    }

    /** Ends a hold. Releases what no other pod holds and no object shows. */
    Optional<Hold> end(String podUid) {
        @Nullable Hold hold = holds.remove(podUid);
        if (hold == null) {
            return Optional.empty();
        }
        for (Decision decision : hold.decisions()) {
            @Nullable Shared shared = decided.get(decision.uid());
            if (shared != null && shared.pods.remove(podUid) && shared.pods.isEmpty()) {
                decided.remove(decision.uid());
                if (shared.decision.volume() != null) {
                    // By now it may be promised to the claim for which an object reserves it.
                    volumes.remove(shared.decision.volume(), decision.uid());
                }
                @Nullable Promise promise = promises.get(decision.uid());
                if (promise != null && !promise.written) {
                    giveBack(decision.uid());
                }
            }
        }
        return Optional.of(hold);
    }

    /** The claim's object shows that its volume is being made. Promises the bytes if they are not promised yet. */
    void written(String claimUid, @Nullable ObjectKey pool, long bytes) {
        if (pool != null) {
            promise(claimUid, pool, bytes);
        }
        @Nullable Promise promise = promises.get(claimUid);
        if (promise != null) {
            promise.written = true;
        }
    }

    /** The claim's object does not show this any more. */
    void withdrawn(String claimUid) {
        @Nullable Promise promise = promises.get(claimUid);
        if (promise != null && promise.written) {
            promise.written = false;
            if (!decided.containsKey(claimUid)) {
                giveBack(claimUid);
            }
        }
    }

    /** The claim's volume exists. */
    void made(String claimUid, long now) {
        @Nullable Promise promise = promises.get(claimUid);
        if (promise != null && promise.made == null) {
            promise.written = true;
            promise.made = now;
        }
    }

    /** The driver published the pool. Its report includes the volumes that exist. */
    void published(ObjectKey pool) {
        List<String> counted = new ArrayList<>();
        promises.forEach((claim, promise) -> {
            if (promise.made != null && promise.pool.equals(pool)) {
                counted.add(claim);
            }
        });
        counted.forEach(this::giveBack);
    }

    void age(long now) {
        List<String> old = new ArrayList<>();
        promises.forEach((claim, promise) -> {
            if (promise.made != null && now - promise.made >= PUBLISHED_WITHIN.toNanos()) {
                old.add(claim);
            }
        });
        old.forEach(this::giveBack);
    }

    private void promise(String claimUid, ObjectKey pool, long bytes) {
        if (!promises.containsKey(claimUid)) {
            promises.put(claimUid, new Promise(pool, bytes));
            capacity.promise(pool, bytes);
        }
    }

    /** Releases the claim's bytes, if there are any: the claim is gone, or its volume is made from another pool. */
    void giveBack(String claimUid) {
        @Nullable Promise promise = promises.remove(claimUid);
        if (promise != null) {
            capacity.promise(promise.pool, -promise.bytes);
        }
    }
}
