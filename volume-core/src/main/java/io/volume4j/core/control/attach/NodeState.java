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
import io.volume4j.spi.model.VolumeAttachment;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One node: the content of its object, and the volumes that are there or wanted there. It stays while a volume does, even after the
 * object is deleted. Then the last content counts. Loop thread only.
 */
final class NodeState {
    /**
     * A kubelet that registers its node anew has this long to unmount what it had before. Its new object does not show these volumes in
     * use: it treats a volume that its object does not show attached as one that needs no attachment.
     */
    static final Duration REGISTERED_ANEW = Duration.ofMinutes(2);

    final String name;
    final AttachKey.OfNode key;
    final Map<VolumeId, PairState> pairs = new LinkedHashMap<>();
    final NodeWords words = new NodeWords();

    /** Pods of the node, by UID. */
    final Set<String> pods = new LinkedHashSet<>();

    /** Claims of the node's pods that have no known volume now, by pod UID. */
    final Map<String, Set<ObjectKey>> unresolved = new LinkedHashMap<>(0);

    private final Map<String, Integer> occupied = new HashMap<>(2);

    String uid = "";
    String revision = "";
    boolean there;

    /** Loop time at which this controller first saw the present object. */
    long seenSince;

    private @Nullable Instant created;

    /** Different after each boot of the machine; {@code ""} if the object does not contain it. */
    private String bootId = "";

    boolean managed;
    boolean keepsTerminated;
    boolean ready;

    /** Stays when a person deletes the object of such a node: her assertion counts until the node has another object. */
    boolean outOfService;

    private Map<String, Quantity> allocatable = Map.of();
    private Map<String, String> annotations = Map.of();

    /** Whether the uses and attachments in each pair match the object. */
    private boolean marked;

    /** Evidence that the node is cut off, from an authority or from the host. */
    @Nullable
    Fence fence;

    long askFenceAt;

    NodeState(String name) {
        this.name = name;
        this.key = new AttachKey.OfNode(name);
    }

    /** The claim has no known volume now. Returns whether this is new. */
    boolean open(String pod, ObjectKey claim) {
        return unresolved.computeIfAbsent(pod, uid -> new LinkedHashSet<>()).add(claim);
    }

    /** The claim has a volume, or one that needs no attachment. Returns whether it was open before. */
    boolean close(String pod, ObjectKey claim) {
        Set<ObjectKey> claims = unresolved.get(pod);
        boolean was = claims != null && claims.remove(claim);
        if (claims != null && claims.isEmpty()) {
            unresolved.remove(pod);
        }
        return was;
    }

    /** Applies the object, null if it is deleted. Returns whether its content about volumes changed. */
    boolean update(@Nullable Node node) {
        if (node == null) {
            there = false;
            ready = false;
            return false;
        }
        boolean another = !uid.isEmpty() && !uid.equals(node.metadata().uid());
        there = true;
        created = node.metadata().creationTimestamp();
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
        String bootBefore = bootId;
        bootId = bootId(node);
        boolean booted = !bootBefore.isEmpty() && !bootId.isEmpty() && !bootId.equals(bootBefore);
        String agent = words.agent();
        boolean changed = words.update(node, another);
        // A node that is ready again, was replaced under its name, booted again, or has a restarted agent may have set
        // its volumes up again. The cache may have missed the time in which it was ready, or not ready.
        if (another || (ready && !wasReady) || booted || !words.agent().equals(agent)) {
            fence = null;
        }
        return changed;
    }

    /** As a kubelet reports it. No record models this field. */
    private static String bootId(Node node) {
        return node.unmodeled().document().get("status") instanceof Map<?, ?> status
                        && status.get("nodeInfo") instanceof Map<?, ?> info
                        && info.get("bootID") instanceof String id
                ? id
                : "";
    }

    /**
     * Whether {@link #createdSince} is true and the node's agent writes no reports of this library. Such an agent may have volumes mounted
     * that the present object never showed in use.
     */
    boolean registeredAnewSince(VolumeAttachment record) {
        return createdSince(record) && !words.reports();
    }

    /** Whether the present object was created after the VolumeAttachment: an earlier object may have shown that attachment. */
    boolean createdSince(VolumeAttachment record) {
        Instant attached = record.metadata().creationTimestamp();
        return there && created != null && attached != null && attached.isBefore(created);
    }

    /** Loop time from which a ready node of which {@link #registeredAnewSince} is true uses only what its status shows. */
    long believedAt() {
        return seenSince + REGISTERED_ANEW.toNanos();
    }

    boolean healthy() {
        return there && ready;
    }

    /** Whether this controller attaches the volumes of pods there. */
    boolean served() {
        return there && managed;
    }

    void add(PairState pair) {
        pairs.put(pair.key.volume(), pair);
        marked = false;
    }

    /** Updates each pair from the object. Returns the pairs that changed. */
    List<PairState> read() {
        List<PairState> changed = new ArrayList<>();
        NodeWords.Named named = words.named();
        boolean silent = uid.isEmpty() || !words.believable();
        for (PairState pair : pairs.values()) {
            VolumeId volume = pair.key.volume();
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

    /** The node's current or last report about the volume. */
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

    /** The maximum number of the driver's volumes on the node, null if the node does not report it. */
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
