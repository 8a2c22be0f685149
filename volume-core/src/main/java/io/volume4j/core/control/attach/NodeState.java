package io.volume4j.core.control.attach;

import io.volume4j.core.grants.GrantKeys;
import io.volume4j.core.grants.GrantList;
import io.volume4j.core.grants.InUseReport;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.host.Fence;
import io.volume4j.spi.model.Node;
import io.volume4j.spi.model.Node.AttachedVolume;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.WellKnown;
import java.util.HashMap;
import java.util.HashSet;
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
    final Map<VolumeId, PairState> pairs = new LinkedHashMap<>();

    /** Pods of the node, by UID. */
    final Set<String> pods = new LinkedHashSet<>();

    /** Claims that pods of the node name and that lead to no volume now, by pod UID. */
    final Map<String, Set<ObjectKey>> unresolved = new LinkedHashMap<>();

    private final Map<String, Integer> occupied = new HashMap<>();

    String uid = "";
    String revision = "";
    boolean there;
    boolean managed;
    boolean keepsTerminated;
    boolean ready;
    boolean outOfService;

    @Nullable
    GrantList grants;

    List<AttachedVolume> attached = List.of();

    /** Whether the agent gives reports; the highest generation seen, and whether the present one is believable. */
    boolean reports;

    private boolean reportReadable;
    private long reportGeneration = -1;
    private Map<String, String> reported = Map.of();
    private Set<String> statusInUse = Set.of();
    private Map<String, Quantity> allocatable = Map.of();
    private String grantsText = "";
    private String reportText = "";

    /** Evidence that the node is cut off, from an authority or given to the controller. */
    @Nullable
    Fence fence;

    long askFenceAt;

    NodeState(String name) {
        this.name = name;
    }

    /** Takes over the object, null if it is gone. */
    void update(@Nullable Node node) {
        if (node == null) {
            there = false;
            ready = false;
            outOfService = false;
            return;
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
        if (ready && !wasReady) {
            fence = null;
        }
        outOfService =
                node.spec().taints().stream().anyMatch(taint -> taint.key().equals(WellKnown.OUT_OF_SERVICE));
        allocatable = node.status().allocatable();
        attached = node.status().volumesAttached();
        readGrants(node);
        readReport(node, another);
    }

    private void readGrants(Node node) {
        String text = node.metadata().annotation(GrantKeys.GRANTS);
        boolean given = node.metadata().annotations().containsKey(GrantKeys.GRANTS);
        if (!given) {
            grants = null;
            grantsText = "";
        } else if (grants == null || !text.equals(grantsText)) {
            grants = GrantList.parse(text).orElse(GrantList.none());
            grantsText = text;
        }
    }

    /** A report never goes back: what an old object brings again says nothing about what the node does now. */
    private void readReport(Node node, boolean another) {
        statusInUse = node.status().volumesInUse().isEmpty()
                ? Set.of()
                : new HashSet<>(node.status().volumesInUse());
        String text = node.metadata().annotation(GrantKeys.IN_USE);
        reports = node.metadata().annotations().containsKey(GrantKeys.IN_USE);
        if (!reports) {
            if (!another) {
                reported = Map.of();
            }
            reportReadable = !another || ready;
            reportText = "";
            return;
        }
        if (text.equals(reportText) && reportReadable && !another) {
            return;
        }
        InUseReport report = InUseReport.parse(text).orElse(null);
        reportText = text;
        reportReadable = report != null && (another || report.generation() >= reportGeneration);
        if (report != null && reportReadable) {
            reported = report.volumes();
            reportGeneration = report.generation();
        }
    }

    boolean healthy() {
        return there && ready;
    }

    /** What the node says about the volume, or said last. */
    PairView.Use use(String volume) {
        if (reported.containsKey(volume) || statusInUse.contains(volume)) {
            return PairView.Use.IN_USE;
        }
        return uid.isEmpty() || !reportReadable ? PairView.Use.UNKNOWN : PairView.Use.FREE;
    }

    /** Whether the object shows the volume attached. */
    boolean shows(String volume) {
        if (grants != null && grants.of(volume) != null) {
            return true;
        }
        for (AttachedVolume each : attached) {
            if (each.name().equals(volume)) {
                return true;
            }
        }
        return false;
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
        Quantity limit = allocatable.get("attachable-volumes-csi-" + driver);
        if (limit == null) {
            limit = allocatable.get("attachable-volumes-" + driver);
        }
        return limit == null ? null : limit.bytes();
    }

    int occupied(String driver) {
        return occupied.getOrDefault(driver, 0);
    }

    void occupy(String driver, int by) {
        occupied.merge(driver, by, (was, more) -> was + more == 0 ? null : was + more);
    }

    /** All that is said of each volume, for comparing two states of the object. */
    Map<String, Object> words() {
        Map<String, Object> words = new HashMap<>();
        for (AttachedVolume volume : attached) {
            words.put(volume.name(), volume.devicePath());
        }
        if (grants != null) {
            grants.grants().forEach((volume, grant) -> words.merge(volume, grant, List::of));
        }
        for (String volume : reported.keySet()) {
            words.merge(volume, "in use", List::of);
        }
        for (String volume : statusInUse) {
            words.merge(volume, "in use, says the status", List::of);
        }
        return words;
    }
}
