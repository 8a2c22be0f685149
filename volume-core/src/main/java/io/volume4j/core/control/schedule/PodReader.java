package io.volume4j.core.control.schedule;

import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.core.control.binding.plan.SchedulerWrites;
import io.volume4j.core.control.host.facts.VolumeUse;
import io.volume4j.core.volumes.VolumeRefusal;
import io.volume4j.core.volumes.VolumeRefusal.Reason;
import io.volume4j.spi.model.AccessMode;
import io.volume4j.spi.model.ClaimHold;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ClaimSource;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import io.volume4j.spi.model.PodVolume;
import io.volume4j.spi.model.StorageClass;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Places;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the requirements of a pod for any node. Lives for one pod. */
final class PodReader {
    private final SchedulingWorld world;
    private final Pod pod;
    private final List<VolumeRefusal> everywhere = new ArrayList<>();
    private final List<PersistentVolume> bound = new ArrayList<>();
    private final List<PodNeeds.Waiting> waiting = new ArrayList<>();

    private PodReader(SchedulingWorld world, Pod pod) {
        this.world = world;
        this.pod = pod;
    }

    static PodNeeds read(SchedulingWorld world, Pod pod) {
        return new PodReader(world, pod).read();
    }

    private PodNeeds read() {
        Map<ObjectKey, Boolean> claims = new LinkedHashMap<>();
        for (PodVolume volume : pod.spec().volumes()) {
            String name = VolumeUse.claimName(pod, volume);
            if (!name.isEmpty()) {
                boolean own = !(volume.source() instanceof ClaimSource);
                claims.merge(ObjectKey.claim(pod.metadata().namespace(), name), own, Boolean::logicalOr);
            }
        }
        claims.forEach(this::claim);
        waiting.sort(
                Comparator.comparingLong((PodNeeds.Waiting each) -> each.needs().bytes())
                        .thenComparing(each -> each.claim().key()));
        List<AttachUse.Volume> attach = new ArrayList<>(world.volumesOf(claims.keySet()));
        waiting.forEach(each -> reserved(each, attach));
        attach.addAll(world.keys().ofInline(pod));
        return new PodNeeds(pod.metadata().uid(), everywhere, bound, waiting, attach, Disks.of(pod), drivers());
    }

    /** A claim with a reserved volume gets this volume, which the node may have already, and no new one. */
    private void reserved(PodNeeds.Waiting each, List<AttachUse.Volume> attach) {
        @Nullable PersistentVolume reserved = each.reserved();
        if (reserved != null && each.takesReserved()) {
            world.keys().replace(each, reserved, attach);
        }
    }

    private Set<String> drivers() {
        Set<String> drivers = new LinkedHashSet<>();
        for (PodVolume volume : pod.spec().volumes()) {
            if (volume.source() instanceof CsiSource inline) {
                drivers.add(inline.driver());
            } else {
                world.migration().driverFor(volume.source()).ifPresent(drivers::add);
            }
        }
        bound.forEach(volume -> driver(volume, drivers));
        for (PodNeeds.Waiting each : waiting) {
            @Nullable PersistentVolume reserved = each.reserved();
            if (reserved != null) {
                driver(reserved, drivers);
            } else {
                drivers.add(each.storageClass().provisioner());
            }
        }
        return drivers;
    }

    private void driver(PersistentVolume volume, Set<String> drivers) {
        if (world.migration().specIfPossible(volume, false).source() instanceof CsiSource csi) {
            drivers.add(csi.driver());
        }
    }

    private void claim(ObjectKey key, boolean own) {
        Optional<PersistentVolumeClaim> found = world.find(key, PersistentVolumeClaim.class);
        if (found.isEmpty()) {
            refuse(Reason.CLAIM_NOT_FOUND, "claim " + OneLine.name(key.name()) + " does not exist");
            return;
        }
        PersistentVolumeClaim claim = found.get();
        if (claim.metadata().deleting()) {
            refuse(Reason.CLAIM_DELETING, "claim " + key.name() + " is being deleted");
        } else if (!ClaimHold.reason(claim).isEmpty()) {
            refuse(Reason.CLAIM_HELD, ClaimHold.reason(claim));
        } else if (claim.status().phase() == ClaimPhase.LOST) {
            refuse(Reason.CLAIM_LOST, "claim " + key.name() + " has lost its volume");
        } else if (own && !ownedByPod(claim)) {
            refuse(Reason.CLAIM_FOREIGN, "claim " + key.name() + " was not made for the pod");
        } else if (claim.spec().unknownWord().isPresent()) {
            refuse(
                    Reason.CLAIM_UNBOUND,
                    "claim " + key.name() + " has a word in its "
                            + claim.spec().unknownWord().get() + " that this version does not know");
        } else {
            onePod(claim);
            place(claim);
        }
    }

    private void place(PersistentVolumeClaim claim) {
        String name = claim.metadata().name();
        if (SchedulerWrites.bound(claim)) {
            volume(name, claim.spec().volumeName());
            return;
        }
        Optional<StorageClass> storageClass = world.storageClass(claim.className());
        if (!claim.spec().volumeName().isEmpty()
                || storageClass.isEmpty()
                || !SchedulingWorld.waits(storageClass.get())) {
            refuse(Reason.CLAIM_UNBOUND, "claim " + name + " is not bound, and its class does not wait for a pod");
            return;
        }
        Optional<Decision> decided = world.ledger().decision(claim.metadata().uid());
        Optional<String> promised = decided.map(Decision::volume);
        ClaimNeeds needs = ClaimNeeds.of(claim, null);
        if (promised.isPresent()) {
            // The volume is promised for another pod, which may still lose it. This pod also waits for it, at any node
            // with access to it.
            volume(name, promised.get());
            world.volume(promised.get())
                    .ifPresent(volume -> waiting.add(new PodNeeds.Waiting(
                            claim, needs, storageClass.get(), "", volume, false, false, Places.everywhere())));
            return;
        }
        String written = claim.metadata().annotation(WellKnown.SELECTED_NODE);
        waiting.add(new PodNeeds.Waiting(
                claim,
                needs,
                storageClass.get(),
                written.isEmpty() ? decided.map(Decision::node).orElse("") : written,
                world.reservations().best(claim, needs).orElse(null),
                world.tracksCapacity(storageClass.get().provisioner()),
                world.ledger().hasBytes(claim.metadata().uid()),
                world.placesOfSource(claim)));
    }

    private void volume(String claim, String name) {
        Optional<PersistentVolume> found = world.volume(name);
        found.ifPresentOrElse(
                bound::add,
                () -> refuse(
                        Reason.VOLUME_NOT_FOUND, "claim " + claim + " is bound to volume " + name + ", which is gone"));
    }

    private void onePod(PersistentVolumeClaim claim) {
        if (claim.spec().accessModes().contains(AccessMode.READ_WRITE_ONCE_POD)) {
            Map<String, String> users =
                    world.placements().usersOf(claim.key(), pod.metadata().uid());
            if (!users.isEmpty()) {
                refuse(
                        Reason.SINGLE_POD,
                        "claim " + claim.metadata().name() + " is for one pod at a time, and one on node "
                                + users.values().iterator().next() + " has it");
            }
        }
    }

    private boolean ownedByPod(PersistentVolumeClaim claim) {
        return claim.metadata().ownerReferences().stream()
                .anyMatch(owner ->
                        owner.controller() && owner.uid().equals(pod.metadata().uid()));
    }

    private void refuse(Reason reason, String message) {
        everywhere.add(new VolumeRefusal(reason, message));
    }
}
