package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.plan.SchedulerWrites;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.volumes.VolumeReservation;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes reservations from decisions, with their writes, and checks whether they are fulfilled. */
public final class Reserving {
    private final SchedulingWorld world;
    private final NodeFilter filter;

    public Reserving(SchedulingWorld world, NodeFilter filter) {
        this.world = world;
        this.filter = filter;
    }

    /** Promises the pod what it needs at the node; empty if the node does not fit any more. Idempotent for the same node. */
    public Optional<VolumeReservation> reserve(Pod pod, String node) {
        String uid = pod.metadata().uid();
        Optional<Ledger.Hold> before = world.ledger().hold(uid);
        if (before.isPresent()) {
            return before.filter(hold -> hold.node().equals(node)).map(Reserving::reservation);
        }
        if (!present(node)) {
            return Optional.empty();
        }
        world.age();
        Optional<List<Decision>> decisions =
                filter.decide(PodReader.read(world, pod), world.nodes().number(node));
        decisions.ifPresent(decided -> world.hold(pod, node, decided));
        return decisions.flatMap(decided -> world.ledger().hold(uid)).map(Reserving::reservation);
    }

    private static VolumeReservation reservation(Ledger.Hold hold) {
        return new VolumeReservation(
                hold.pod(),
                hold.podUid(),
                hold.node(),
                hold.decisions().stream()
                        .map(decision -> new VolumeReservation.Claim(
                                decision.claim(), decision.uid(), decision.volume() == null ? "" : decision.volume()))
                        .toList());
    }

    /**
     * Releases the reservation, if the pod still has it. A later reservation of the same pod stays: the caller of an earlier one may
     * release it twice, or late.
     */
    public void release(VolumeReservation reservation) {
        world.ledger()
                .hold(reservation.podUid())
                .filter(hold -> reservation(hold).equals(reservation))
                .ifPresent(hold -> world.unhold(hold.podUid(), hold.pod()));
    }

    /** Whether the pod was deleted, or is being deleted. A pod that no event has named yet is not gone while it has a reservation. */
    public boolean podGone(VolumeReservation reservation) {
        return world.find(reservation.pod(), Pod.class)
                .filter(pod -> pod.metadata().uid().equals(reservation.podUid()))
                .map(pod -> pod.metadata().deleting())
                .orElseGet(() -> world.ledger().hold(reservation.podUid()).isEmpty());
    }

    /** The writes that make a reservation durable, volumes before claims. After a crash in between, volumes are only reserved. */
    public List<ObjectWrite> writes(VolumeReservation reservation) {
        List<ObjectWrite> writes = new ArrayList<>();
        List<ObjectWrite> claims = new ArrayList<>();
        for (VolumeReservation.Claim promised : reservation.claims()) {
            @Nullable PersistentVolumeClaim claim = claim(promised).orElse(null);
            if (claim == null || SchedulerWrites.bound(claim)) {
                continue;
            }
            if (promised.volume().isEmpty()) {
                SchedulerWrites.select(claim, reservation.node()).ifPresent(claims::add);
            } else {
                world.volume(promised.volume())
                        .flatMap(volume -> SchedulerWrites.reserve(volume, claim))
                        .ifPresent(writes::add);
            }
        }
        writes.addAll(claims);
        return writes;
    }

    /**
     * Why the reservation cannot be fulfilled any more, empty if it can or is.
     *
     * @param written whether its writes are done
     */
    public Optional<String> broken(VolumeReservation reservation, boolean written) {
        if (!present(reservation.node())) {
            return Optional.of("the node is gone");
        }
        for (VolumeReservation.Claim promised : reservation.claims()) {
            Optional<String> why = broken(reservation, promised, written);
            if (why.isPresent()) {
                return why;
            }
        }
        return Optional.empty();
    }

    private Optional<String> broken(VolumeReservation reservation, VolumeReservation.Claim promised, boolean written) {
        String name = promised.claim().name();
        @Nullable PersistentVolumeClaim claim = claim(promised).orElse(null);
        if (claim == null) {
            return Optional.of("claim " + name + " is gone");
        }
        if (claim.status().phase() == ClaimPhase.LOST) {
            return Optional.of("claim " + name + " has lost its volume");
        }
        if (SchedulerWrites.bound(claim)) {
            return world.volume(claim.spec().volumeName()).flatMap(volume -> outOfReach(volume, reservation.node()));
        }
        if (promised.volume().isEmpty()) {
            String node = claim.metadata().annotation(WellKnown.SELECTED_NODE);
            boolean other =
                    written ? !node.equals(reservation.node()) : !node.isEmpty() && !node.equals(reservation.node());
            return other
                    ? Optional.of(
                            node.isEmpty()
                                    ? "no volume for claim " + name + " could be made for node " + reservation.node()
                                    : "the volume of claim " + name + " is being made for node " + node)
                    : Optional.empty();
        }
        @Nullable PersistentVolume volume = world.volume(promised.volume()).orElse(null);
        if (volume == null) {
            return Optional.of("volume " + promised.volume() + " is gone");
        }
        boolean lost = !SchedulerWrites.mayBelongTo(volume, claim)
                || (written && volume.spec().claimRef() == null);
        return lost
                ? Optional.of("volume " + promised.volume() + " is not reserved for claim " + name + " any more")
                : Optional.empty();
    }

    /** Whether all claims are bound to volumes that are known. */
    public boolean fulfilled(VolumeReservation reservation) {
        return reservation.claims().stream()
                .allMatch(promised -> claim(promised)
                        .filter(SchedulerWrites::bound)
                        .flatMap(claim -> world.volume(claim.spec().volumeName()))
                        .isPresent());
    }

    /** The objects on which the fulfilment of a reservation depends, except new volumes. */
    public static List<ObjectKey> concerned(VolumeReservation reservation) {
        List<ObjectKey> keys = new ArrayList<>();
        keys.add(reservation.pod());
        keys.add(ObjectKey.node(reservation.node()));
        reservation.claims().forEach(claim -> keys.add(claim.claim()));
        return keys;
    }

    /** A node that does not exist has access to no volume, not even to one that every node can access. */
    private boolean present(String node) {
        int number = world.nodes().number(node);
        return number >= 0 && world.nodes().present().get(number);
    }

    private Optional<String> outOfReach(PersistentVolume volume, String node) {
        @Nullable BitSet reaching = world.accessibility().byAffinityAndLabels(volume);
        int number = world.nodes().number(node);
        boolean reachable = reaching == null || (number >= 0 && reaching.get(number));
        return reachable
                ? Optional.empty()
                : Optional.of("volume " + volume.metadata().name() + " cannot be reached from node " + node);
    }

    private Optional<PersistentVolumeClaim> claim(VolumeReservation.Claim promised) {
        return world.find(promised.claim(), PersistentVolumeClaim.class)
                .filter(claim -> claim.metadata().uid().equals(promised.claimUid()));
    }
}
