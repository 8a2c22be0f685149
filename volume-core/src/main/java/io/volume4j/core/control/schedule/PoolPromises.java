package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.plan.SchedulerWrites;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Updates the ledger's bytes from the claims' objects. Not thread-safe. */
final class PoolPromises {
    private final NodeTable nodes;
    private final CapacityIndex capacity;
    private final Ledger ledger;
    private final LongSupplier nanoClock;
    private final Function<ObjectKey, Optional<PersistentVolumeClaim>> claims;

    /** Claims whose volumes are being made from a pool that is not known yet. */
    private final Set<ObjectKey> withoutPool = new LinkedHashSet<>();

    PoolPromises(
            NodeTable nodes,
            CapacityIndex capacity,
            Ledger ledger,
            LongSupplier nanoClock,
            Function<ObjectKey, Optional<PersistentVolumeClaim>> claims) {
        this.nodes = nodes;
        this.capacity = capacity;
        this.ledger = ledger;
        this.nanoClock = nanoClock;
        this.claims = claims;
    }

    /** More pools or nodes are known now. */
    void poolsChanged() {
        for (ObjectKey key : new ArrayList<>(withoutPool)) {
            withoutPool.remove(key);
            claims.apply(key).ifPresent(this::claimChanged);
        }
    }

    void claimChanged(PersistentVolumeClaim claim) {
        withoutPool.remove(claim.key());
        String uid = claim.metadata().uid();
        String node = claim.metadata().annotation(WellKnown.SELECTED_NODE);
        if (SchedulerWrites.bound(claim)) {
            ledger.made(uid, nanoClock.getAsLong());
        } else if (claim.spec().volumeName().isEmpty() && !node.isEmpty()) {
            ledger.pool(uid).filter(pool -> isElsewhere(pool, claim, node)).ifPresent(pool -> ledger.giveBack(uid));
            @Nullable ObjectKey pool = ledger.hasBytes(uid) ? null : poolFor(claim, node);
            ledger.written(uid, pool, SchedulingWorld.bytes(claim));
            if (!ledger.hasBytes(uid)) {
                withoutPool.add(claim.key());
            }
        } else {
            ledger.withdrawn(uid);
        }
    }

    void claimGone(ObjectKey key) {
        withoutPool.remove(key);
    }

    /**
     * Whether the pool does not serve the node that the claim's object names. Another scheduler may have chosen that node after this
     * one had promised bytes elsewhere.
     */
    private boolean isElsewhere(ObjectKey pool, PersistentVolumeClaim claim, String node) {
        int number = nodes.number(node);
        List<CapacityIndex.Pool> there = number < 0 ? List.of() : capacity.at(claim.className(), number);
        return !there.isEmpty() && there.stream().noneMatch(known -> known.key().equals(pool));
    }

    private @Nullable ObjectKey poolFor(PersistentVolumeClaim claim, String node) {
        int number = nodes.number(node);
        return number < 0
                ? null
                : capacity.roomAt(claim.className(), number, SchedulingWorld.bytes(claim))
                        .map(CapacityIndex.Pool::key)
                        .orElse(null);
    }
}
