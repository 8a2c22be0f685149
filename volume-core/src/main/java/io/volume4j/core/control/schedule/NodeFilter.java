package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.match.ZoneLabels;
import io.volume4j.core.control.schedule.PodNeeds.Waiting;
import io.volume4j.core.volumes.NodeFit;
import io.volume4j.core.volumes.VolumeRefusal;
import io.volume4j.core.volumes.VolumeRefusal.Reason;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the nodes on which a pod can run. The rules, in their order:
 *
 * <ol>
 *   <li>Problems on every node: claims that are missing, deleting, lost, another pod's, unbound although their class does not wait,
 *       or in another pod's exclusive use.
 *   <li>Drivers whose CSIDriver allows pods only on nodes where they are registered.
 *   <li>Volumes of bound claims: their node affinity, their zone labels.
 *   <li>Disks in the pod's spec that a machine can use only once.
 *   <li>The limits of volumes per node and driver.
 *   <li>Claims that wait for the pod, the smallest first. If a node was chosen for the claim, only that node is possible. If a
 *       volume is reserved for it, it gets that volume. Otherwise it gets the best available volume that no other claim of the pod
 *       takes. Otherwise it gets a new volume, if its class provisions, allows the place, and has room there besides other
 *       promises.
 * </ol>
 *
 * <p>Each rule covers all nodes at once. Only the last rule checks nodes one by one, and only the remaining nodes.
 */
public final class NodeFilter {
    private final SchedulingWorld world;

    public NodeFilter(SchedulingWorld world) {
        this.world = world;
    }

    /** For each of the nodes, whether the pod can run there, and why not. */
    public NodeFit fit(Pod pod, Collection<String> nodeNames) {
        world.age();
        List<String> names = new ArrayList<>(new LinkedHashSet<>(nodeNames));
        int[] places = new int[world.nodes().size()];
        BitSet asked = new BitSet();
        BitSet unknown = new BitSet();
        for (int place = 0; place < names.size(); place++) {
            int node = world.nodes().number(names.get(place));
            if (node >= 0 && world.nodes().present().get(node)) {
                places[node] = place;
                asked.set(node);
            } else {
                unknown.set(place);
            }
        }
        Refusals refusals = new Refusals(asked);
        PodNeeds needs = PodReader.read(world, pod);
        check(needs, refusals);
        List<NodeFit.Refused> refused = new ArrayList<>();
        if (!unknown.isEmpty()) {
            refused.add(new NodeFit.Refused(
                    new VolumeRefusal(Reason.NODE_NOT_FOUND, "there is no node of this name"), unknown));
        }
        for (Map.Entry<VolumeRefusal, BitSet> entry : refusals.all().entrySet()) {
            BitSet at = new BitSet();
            BitSet nodes = entry.getValue();
            for (int node = nodes.nextSetBit(0); node >= 0; node = nodes.nextSetBit(node + 1)) {
                at.set(places[node]);
            }
            refused.add(new NodeFit.Refused(entry.getKey(), at));
        }
        return new NodeFit(names, refused);
    }

    /** Applies all rules. The nodes that are left fit. */
    private void check(PodNeeds needs, Refusals refusals) {
        narrow(needs, refusals);
        if (!needs.waiting().isEmpty()) {
            Placing placing = new Placing(world, needs);
            BitSet left = (BitSet) refusals.left().clone();
            for (int node = left.nextSetBit(0); node >= 0; node = left.nextSetBit(node + 1)) {
                if (placing.at(node)) {
                    overfull(needs, placing, node).forEach((driver, nodes) -> full(driver, nodes, refusals));
                }
            }
            placing.tell(refusals);
        }
    }

    /** Applies the rules that cover all nodes at once. The other rule checks the remaining nodes one by one. */
    void narrow(PodNeeds needs, Refusals refusals) {
        needs.everywhere().forEach(refusal -> refusals.refuse(refusal, refusals.asked()));
        needs.drivers().forEach(driver -> registered(driver, refusals));
        needs.bound().forEach(volume -> reach(volume, refusals));
        for (Disks.Use use : needs.disks()) {
            refusals.refuse(
                    Reason.DISK,
                    "another pod there has disk " + use.disk(),
                    world.placements().diskTaken(use, needs.podUid()));
        }
        world.attached()
                .overfull(needs.attach(), refusals.left())
                .forEach((driver, nodes) -> full(driver, nodes, refusals));
        place(needs, refusals);
    }

    private static void full(String driver, BitSet nodes, Refusals refusals) {
        refusals.refuse(Reason.ATTACH_LIMIT, "the node has as many volumes of " + driver + " as it can", nodes);
    }

    /** The node, by driver, if it would have too many volumes with the pod's volumes from the placing. */
    Map<String, BitSet> overfull(PodNeeds needs, Placing placing, int node) {
        if (!placing.takesVolumes()) {
            return Map.of();
        }
        BitSet one = new BitSet();
        one.set(node);
        return world.attached().overfull(placing.attached(needs.attach()), one);
    }

    private void registered(String driver, Refusals refusals) {
        if (world.keepsToItsNodes(driver)) {
            refusals.allowOnly(
                    world.registered().having(driver, refusals.asked()),
                    Reason.DRIVER,
                    "driver " + driver + " is not registered there, and its CSIDriver object says"
                            + " preventPodSchedulingIfMissing");
        }
    }

    private void reach(PersistentVolume volume, Refusals refusals) {
        @Nullable BitSet reaching = world.accessibility().of(volume);
        String name = volume.metadata().name();
        if (reaching != null) {
            refusals.allowOnly(
                    reaching,
                    Reason.NODE_AFFINITY,
                    "volume " + name + " cannot be reached from there: its node affinity does not choose the node");
        }
        if (ZoneLabels.placed(volume)) {
            refusals.allowOnly(
                    world.nodes().choosing(ZoneLabels.byLabels(volume)),
                    Reason.ZONE,
                    "volume " + name + " is in another zone or region by its labels");
        }
    }

    private void place(PodNeeds needs, Refusals refusals) {
        for (Waiting waiting : needs.waiting()) {
            String claim = waiting.claim().metadata().name();
            @Nullable PersistentVolume reserved = waiting.reserved();
            if (!waiting.node().isEmpty()) {
                BitSet only = new BitSet();
                int chosen = world.nodes().number(waiting.node());
                if (chosen >= 0) {
                    only.set(chosen);
                }
                refusals.allowOnly(
                        only,
                        Reason.CLAIM_ELSEWHERE,
                        "the volume of claim " + claim + " is being made for node " + OneLine.name(waiting.node()));
            } else if (reserved != null) {
                @Nullable BitSet reaching = world.accessibility().byAffinityAndLabels(reserved);
                refusals.allowOnly(
                        reaching == null ? refusals.asked() : reaching,
                        Reason.NO_VOLUME,
                        "volume " + reserved.metadata().name() + " is reserved for claim " + claim
                                + " and cannot be reached from there");
            } else if (waiting.places().nodes() != null) {
                refusals.allowOnly(
                        world.nodes()
                                .choosing(
                                        Objects.requireNonNull(waiting.places().nodes())),
                        Reason.SNAPSHOT,
                        "claim " + claim + " is made from a snapshot whose volumes can be reached only from "
                                + waiting.places().any());
            }
        }
    }

    /** How the pod's claims would get their volumes at the node; empty if the pod cannot run there. */
    Optional<List<Decision>> decide(PodNeeds needs, int node) {
        BitSet one = new BitSet();
        one.set(node);
        Refusals refusals = new Refusals(one);
        check(needs, refusals);
        if (refusals.left().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Placing(world, needs).decisions(node));
    }

    static boolean neverMakes(Waiting waiting) {
        return waiting.storageClass().provisioner().equals(WellKnown.NO_PROVISIONER);
    }
}
