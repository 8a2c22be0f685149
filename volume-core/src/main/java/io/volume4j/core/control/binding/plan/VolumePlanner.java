package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.host.EventSink.Event;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans for volumes, by their {@code claimRef}:
 *
 * <ul>
 *   <li>no claim, or a claim by name only: available;
 *   <li>a claim that names the volume: bound;
 *   <li>a claim that names no volume yet: wait, because the claim's plan binds it;
 *   <li>a claim that names another volume: freed, or reclaimed if it was provisioned for that claim;
 *   <li>a claim that is gone: released, then reclaimed by {@link ReclaimPlanner}.
 * </ul>
 *
 * <p>The table with every row is in {@code docs/binding.md}.
 */
public final class VolumePlanner {
    private VolumePlanner() {}

    public static Plan<ClusterStep> plan(VolumeView view) {
        PlanBuilder plan = new PlanBuilder(view.key(), view.told());
        PersistentVolume volume = view.volume();
        finalizer(view, plan);
        plan.write("name the driver of volume ", name(volume), VolumeWrites.migratedTo(volume, view.migratedTo()));
        if (plan.hasSteps()) {
            return plan.plan();
        }
        if (view.memory().deleted()) {
            // The storage is gone, whichever claim got the volume since.
            ReclaimPlanner.plan(view, plan);
        } else if (ClaimReference.uid(volume).isEmpty()) {
            available(view, plan);
        } else {
            claimed(view, plan);
        }
        return plan.plan();
    }

    /** A finalizer keeps a volume that was provisioned here until its storage is gone, unless its policy keeps the storage. */
    static void finalizer(VolumeView view, PlanBuilder plan) {
        PersistentVolume volume = view.volume();
        ReclaimPolicy policy = volume.spec().reclaimPolicy();
        if (policy == ReclaimPolicy.RETAIN || policy == ReclaimPolicy.RECYCLE) {
            plan.write(
                    "stop protecting volume ",
                    name(volume),
                    VolumeWrites.dropFinalizers(
                            volume, List.of(Annotation.EXTERNAL_FINALIZER, Annotation.RECLAIM_FINALIZER)));
        } else if (Annotation.migratedBesides(volume, view.reclaimer().plugin())) {
            // The other finalizer may be the one of the driver that handles the volume now.
            plan.write(
                    "stop protecting volume ",
                    name(volume),
                    VolumeWrites.dropFinalizers(volume, List.of(Annotation.RECLAIM_FINALIZER)));
        } else if (policy == ReclaimPolicy.DELETE
                && view.reclaimer().madeHere()
                && !volume.metadata().deleting()) {
            plan.write("protect volume ", name(volume), VolumeWrites.keep(volume));
        }
    }

    private static void available(VolumeView view, PlanBuilder plan) {
        PersistentVolume volume = view.volume();
        if (ReclaimIntent.deletes(volume)) {
            ReclaimPlanner.deprivedOfOwner(volume, plan);
            return;
        }
        List<ObjectWrite> writes = new ArrayList<>();
        VolumeWrites.dropIntent(volume).ifPresent(writes::add);
        VolumeWrites.phase(volume, VolumePhase.AVAILABLE).ifPresent(writes::add);
        if (!writes.isEmpty()) {
            plan.writes("mark volume " + name(volume) + " as available", writes, ClusterWork.Kind.WRITE, true);
        }
        if (volume.metadata().deleting() && VolumeWrites.kept(volume)) {
            plan.waitFor(
                    "the volume",
                    "the volume is to be deleted, but belongs to no claim that could be known to be gone, so its storage is"
                            + " kept; set its reclaim policy to Retain to remove the object only");
        }
    }

    private static void claimed(VolumeView view, PlanBuilder plan) {
        switch (view.claim().state()) {
            case FOUND -> ofClaim(view, view.claim().get(), plan);
            case ABSENT, MISSING -> ReclaimPlanner.plan(view, plan);
            default -> plan.waitFor("claims", "the claims of the cluster are not known completely");
        }
    }

    private static void ofClaim(VolumeView view, PersistentVolumeClaim claim, PlanBuilder plan) {
        PersistentVolume volume = view.volume();
        String named = claim.spec().volumeName();
        if (!named.equals(name(volume)) && ReclaimIntent.deletes(volume)) {
            // The deletion began while the claim had another volume, or none. It must be completed. If the policy has
            // changed, a user must decide: the storage may be gone.
            ReclaimPlanner.plan(view, plan);
        } else if (named.isEmpty()) {
            if (volume.spec().volumeMode() != claim.spec().volumeMode()) {
                mismatch(volume, claim, plan);
            } else {
                plan.waitFor("the claim", "reserved for " + claim.key() + ", which is not bound yet");
            }
        } else if (named.equals(name(volume))) {
            Optional<ObjectWrite> phase = VolumeWrites.phase(volume, VolumePhase.BOUND);
            if (phase.isPresent()) {
                plan.report("mark volume " + name(volume) + " as bound", phase);
            }
        } else if (made(volume) && volume.spec().reclaimPolicy() == ReclaimPolicy.DELETE) {
            ReclaimPlanner.plan(view, plan);
        } else {
            List<ObjectWrite> writes = new ArrayList<>();
            VolumeWrites.unbind(volume).ifPresent(writes::add);
            VolumeWrites.phase(volume, VolumePhase.AVAILABLE).ifPresent(writes::add);
            plan.writes(
                    "free volume " + name(volume) + ", whose claim is bound elsewhere",
                    writes,
                    ClusterWork.Kind.WRITE,
                    true);
        }
    }

    /** Whether it was provisioned for its claim, here or outside, and so is useless for other claims. */
    private static boolean made(PersistentVolume volume) {
        return !volume.metadata().annotation(WellKnown.PROVISIONED_BY).isEmpty();
    }

    private static void mismatch(PersistentVolume volume, PersistentVolumeClaim claim, PlanBuilder plan) {
        String why = "volume " + name(volume) + " has volumeMode "
                + volume.spec().volumeMode().apiName() + ", claim " + claim.key() + " asks for "
                + claim.spec().volumeMode().apiName();
        plan.tell(List.of(
                        PlanBuilder.event(Event.Type.WARNING, volume, EventReason.VOLUME_MISMATCH, why),
                        PlanBuilder.event(Event.Type.WARNING, claim, EventReason.VOLUME_MISMATCH, why)))
                .waitFor("the claim or the volume", why);
    }

    private static String name(PersistentVolume volume) {
        return volume.metadata().name();
    }
}
