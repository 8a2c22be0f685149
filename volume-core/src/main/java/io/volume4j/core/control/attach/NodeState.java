package io.volume4j.core.control.attach;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.PairView.Use;
import io.volume4j.core.grants.AttachLimitKey;
import io.volume4j.core.grants.GrantKeys;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One node: what its object says, and the volumes that are wanted there or are there. Stays while a volume does, also when
 * the object is gone: what it said last is what is known. Loop thread only.
 */
final class NodeState {
    final String name;
    final AttachKey.OfNode key;
    final Map<VolumeId, PairState> pairs = new LinkedHashMap<>();
    final NodeWords words = new NodeWords();

    /** Pods of the node, by UID. */
    final Set<String> pods = new LinkedHashSet<>();

    /** Claims that pods of the node name and that lead to no volume now, by pod UID. */
    final Map<String, Set<ObjectKey>> unresolved = new LinkedHashMap<>(0);

    private final Map<String, Integer> occupied = new HashMap<>(2);

    String uid = "";
    String revision = "";
    boolean there;
    boolean managed;
    boolean keepsTerminated;
    boolean ready;
    boolean outOfService;

    private Map<String, Quantity> allocatable = Map.of();
    private Map<String, String> annotations = Map.of();

    /** Whether each pair knows what the object says of it. */
    private boolean marked;

    /** Evidence that the node is cut off, from an authority or given to the controller. */
    @Nullable
    Fence fence;

    long askFenceAt;

    NodeState(String name) {
        this.name = name;
        this.key = new AttachKey.OfNode(name);
    }

    /** The claim leads to no volume of the pod; returns whether it did. */
    boolean open(String pod, ObjectKey claim) {
        return unresolved.computeIfAbsent(pod, uid -> new LinkedHashSet<>()).add(claim);
    }

    /** The claim leads to a volume, or to none that is attached; returns whether it did not. */
    boolean close(String pod, ObjectKey claim) {
        Set<ObjectKey> claims = unresolved.get(pod);
        boolean was = claims != null && claims.remove(claim);
        if (claims != null && claims.isEmpty()) {
            unresolved.remove(pod);
        }
        return was;
    }

    /** Takes over the object, null if it is gone; returns whether it says anything else of volumes than before. */
    boolean update(@Nullable Node node) {
        if (node == null) {
            there = false;
            ready = false;
            outOfService = false;
            return false;
        }
        boolean another = !uid.isEmpty() && !uid.equals(node.metadata().uid());
        there = true;
        uid = node.metadata().uid();
        revision = node.metadata().resourceVersion();
        managed =
                node.metadata().annotation(WellKnown.CONTROLLER_MANAGED_ATTACH).equals("true");
        keepsTerminated = node.metadata()
                .annotation(WellKnown.KEEP_TERMINATED_POD_VOLUMES)
                .equals("true");
        boolean wasReady = ready;
        ready = node.status().ready();
        outOfService =
                node.spec().taints().stream().anyMatch(taint -> taint.key().equals(WellKnown.OUT_OF_SERVICE));
        allocatable = node.status().allocatable();
        annotations = node.metadata().annotations();
        String agent = words.agent();
        boolean changed = words.update(node, another);
        // a node that is ready again or was replaced under its name, or whose agent was started anew, may have set its
        // volumes up again: that the cache saw it ready in between is not certain
        if (another || (ready && !wasReady) || !words.agent().equals(agent)) {
            fence = null;
        }
        return changed;
    }

    boolean healthy() {
        return there && ready;
    }

    /** Whether pods there have their volumes attached from here. */
    boolean served() {
        return there && managed;
    }

    void add(PairState pair) {
        pairs.put(pair.key.volume(), pair);
        marked = false;
    }

    /** Reads anew what the object says of each pair; returns those of which it says something else than was known. */
    List<PairState> read() {
        List<PairState> changed = new ArrayList<>();
        NodeWords.Named named = words.named();
        boolean silent = uid.isEmpty() || !words.believable();
        for (PairState pair : pairs.values()) {
            String volume = pair.key.volume().toString();
            boolean shown = named.shown().contains(volume);
            Use use = named.used().contains(volume) ? Use.IN_USE : silent ? Use.UNKNOWN : Use.FREE;
            if (shown != pair.shown || use != pair.use) {
                pair.shown = shown;
                pair.use = use;
                changed.add(pair);
            }
        }
        marked = true;
        return changed;
    }

    private void mark() {
        if (!marked) {
            read();
        }
    }

    /** What the node says about the volume, or said last. */
    Use use(PairState pair) {
        mark();
        return pair.use;
    }

    /** Whether the object shows the volume attached. */
    boolean shows(PairState pair) {
        mark();
        return pair.shown;
    }

    /** Evidence that the node cannot use its volumes. */
    @Nullable
    Fence evidence() {
        if (outOfService) {
            return new Fence(
                    Fence.Kind.OPERATOR_ASSERTION, name, "node " + name + " has the taint " + WellKnown.OUT_OF_SERVICE);
        }
        return fence;
    }

    /** The greatest number of the driver's volumes that the node can have, null if it does not say. */
    @Nullable
    Long limit(String driver) {
        Quantity limit = allocatable.get(AttachLimitKey.of(driver));
        if (limit == null) {
            limit = allocatable.get("attachable-volumes-" + driver);
        }
        if (limit != null) {
            return limit.bytes();
        }
        @Nullable String announced = annotations.get(GrantKeys.ANNOUNCED_LIMIT + driver);
        return announced == null || !announced.matches("[1-9][0-9]{0,17}") ? null : Long.valueOf(announced);
    }

    int occupied(String driver) {
        return occupied.getOrDefault(driver, 0);
    }

    void occupy(String driver, int by) {
        occupied.merge(driver, by, (was, more) -> was + more == 0 ? null : was + more);
    }
}
