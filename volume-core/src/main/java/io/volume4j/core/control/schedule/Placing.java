package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.match.AvailableVolumes.Candidate;
import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.core.control.schedule.PodNeeds.Waiting;
import io.volume4j.core.volumes.VolumeRefusal.Reason;
import io.volume4j.spi.model.NodeSelector;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds a volume at a node for each waiting claim of a pod: an available volume or a new one. It handles the claims in the order of
 * the needs; later claims cannot get what an earlier claim takes. Lives for one decision.
 */
final class Placing {
    private final SchedulingWorld world;
    private final List<Waiting> claims;
    private final List<Candidates> candidates = new ArrayList<>();

    /** For each claim the nodes that its class allows; null for all. */
    private final List<@Nullable BitSet> allowed = new ArrayList<>();

    /** For each claim the nodes without a volume and without a way to make one, and the nodes without room for a new one. */
    private final List<BitSet> nothing = new ArrayList<>();

    private final List<BitSet> full = new ArrayList<>();

    /** The results for the claims at the node of the last check: a volume, a pool, or neither. */
    private final @Nullable Candidate[] found;

    private final CapacityIndex.@Nullable Pool[] pools;
    private final List<Candidate> taken = new ArrayList<>();

    Placing(SchedulingWorld world, PodNeeds needs) {
        this.world = world;
        this.claims = needs.waiting();
        this.found = new @Nullable Candidate[claims.size()];
        this.pools = new CapacityIndex.@Nullable Pool[claims.size()];
        for (Waiting waiting : claims) {
            candidates.add(candidatesFor(waiting.needs()));
            @Nullable NodeSelector topologies = waiting.storageClass().allowedTopologies();
            allowed.add(topologies == null ? null : world.nodes().choosing(topologies));
            nothing.add(new BitSet());
            full.add(new BitSet());
        }
    }

    private Candidates candidatesFor(ClaimNeeds needs) {
        for (Candidates known : candidates) {
            if (known.serve(needs)) {
                return known;
            }
        }
        return new Candidates(world, needs);
    }

    /** Checks one more node, and stores what it lacks. */
    boolean at(int node) {
        taken.clear();
        for (int i = 0; i < claims.size(); i++) {
            pools[i] = null;
            @Nullable Candidate volume = candidateAt(i, node);
            found[i] = volume;
            if (volume != null) {
                if (claims.size() > 1) {
                    taken.add(volume);
                }
            } else if (!hasReserved(i) && !canMake(i, node)) {
                return false;
            }
        }
        return true;
    }

    private boolean canMake(int i, int node) {
        if (!mayMake(i, node)) {
            nothing.get(i).set(node);
            return false;
        }
        if (!hasRoom(i, node)) {
            full.get(i).set(node);
            return false;
        }
        return true;
    }

    /** Refuses the nodes that lacked something. */
    void tell(Refusals refusals) {
        for (int i = 0; i < claims.size(); i++) {
            Waiting waiting = claims.get(i);
            ClaimNeeds needs = waiting.needs();
            String claim = "claim " + waiting.claim().metadata().name();
            String size = Quantity.ofBytes(needs.bytes()).toString();
            String way = NodeFilter.neverMakes(waiting)
                    ? " and its class does not provision volumes"
                    : " and its class makes none there";
            refusals.refuse(
                    Reason.NO_VOLUME,
                    "there is no available volume for " + claim + " of class " + needs.className() + ", " + size + way,
                    nothing.get(i));
            refusals.refuse(
                    Reason.CAPACITY,
                    "class " + needs.className() + " has no room there for " + claim + ", " + size,
                    full.get(i));
        }
    }

    /** The decisions for a node on which the pod can run. */
    List<Decision> decisions(int node) {
        if (!at(node)) {
            throw new IllegalStateException(
                    "the pod cannot go to node " + world.nodes().name(node));
        }
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            Waiting waiting = claims.get(i);
            @Nullable PersistentVolume volume = volume(i);
            CapacityIndex.@Nullable Pool pool = pools[i];
            @Nullable ObjectKey key = pool == null ? null : pool.key();
            decisions.add(new Decision(
                    waiting.claim().key(),
                    waiting.claim().metadata().uid(),
                    world.nodes().name(node),
                    volume == null ? null : volume.metadata().name(),
                    waiting.needs().className(),
                    waiting.needs().bytes(),
                    volume == null
                            ? 0
                            : Objects.requireNonNull(volume.spec().capacity()).bytes(),
                    key));
        }
        return decisions;
    }

    /** The pool for a claim's new volume at the node of the last check, null for none. */
    CapacityIndex.@Nullable Pool pool(int claim) {
        return pools[claim];
    }

    /** The claim's volume there, reserved for it or available; null for none. */
    @Nullable
    PersistentVolume volume(int claim) {
        @Nullable Candidate candidate = found[claim];
        return candidate != null
                ? candidate.volume()
                : hasReserved(claim) ? claims.get(claim).reserved() : null;
    }

    /** Whether a claim gets an existing volume at the node of the last check. */
    boolean takesVolumes() {
        for (int i = 0; i < found.length; i++) {
            if (found[i] != null || hasReserved(i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The volumes that the node must attach for the pod. Existing volumes count by their own driver, and not as new volumes.
     *
     * @param before the volumes that are known without a node
     */
    List<AttachUse.Volume> attached(List<AttachUse.Volume> before) {
        List<AttachUse.Volume> attached = new ArrayList<>(before);
        for (int i = 0; i < claims.size(); i++) {
            @Nullable PersistentVolume volume = volume(i);
            if (volume != null) {
                world.keys().replace(claims.get(i), volume, attached);
            }
        }
        return attached;
    }

    private boolean hasReserved(int claim) {
        return claims.get(claim).takesReserved();
    }

    private @Nullable Candidate candidateAt(int i, int node) {
        return claims.get(i).node().isEmpty() && !hasReserved(i)
                ? candidates.get(i).at(node, taken)
                : null;
    }

    private boolean mayMake(int i, int node) {
        @Nullable BitSet places = allowed.get(i);
        return !NodeFilter.neverMakes(claims.get(i)) && (places == null || places.get(node));
    }

    private boolean hasRoom(int i, int node) {
        Waiting waiting = claims.get(i);
        if (!waiting.tracked() || waiting.promised()) {
            return true;
        }
        for (CapacityIndex.Pool pool : world.capacity().at(waiting.needs().className(), node)) {
            long besides = 0;
            for (int before = 0; before < i; before++) {
                besides += pools[before] == pool ? claims.get(before).needs().bytes() : 0;
            }
            if (pool.fits(waiting.needs().bytes(), besides)) {
                pools[i] = pool;
                return true;
            }
        }
        return false;
    }
}
