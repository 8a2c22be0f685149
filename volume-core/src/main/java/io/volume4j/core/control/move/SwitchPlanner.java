package io.volume4j.core.control.move;

import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.VolumeMove.OldVolume;
import io.volume4j.spi.model.VolumeMove.Phase;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a claim the volume that was filled for it. No step takes both volumes from the user at any time:
 *
 * <ol>
 *   <li>both volumes get the policy Retain;
 *   <li>the claim that had the new volume goes, then the old claim;
 *   <li>the new volume is reserved for the claim's name, and the claim is made anew, held;
 *   <li>when it is bound, the new volume gets its own policy, and the old one Delete if the move says so;
 *   <li>the hold goes, and the move has ended.
 * </ol>
 *
 * <p>What is gone is proved by the store before anything rests on it.
 */
final class SwitchPlanner {
    private SwitchPlanner() {}

    static void plan(MoveView view, PlanBuilder plan) {
        if (!view.target().found()) {
            lost(view, plan);
        } else if (view.oldClaim().found()) {
            removeClaims(view, view.oldClaim().get(), plan);
        } else if (proved(
                        view,
                        view.oldClaim(),
                        MovePlanner.claimKey(view.move()),
                        view.status().claimUid(),
                        plan)
                && gone(view, plan)) {
            reserve(view, plan);
        }
    }

    private static void lost(MoveView view, PlanBuilder plan) {
        if (view.target().notThere()) {
            MovePlanner.waits(
                    view,
                    plan,
                    "volume " + view.status().targetVolume()
                            + ", which holds the copied data, is gone; make its PersistentVolume anew, or restore the old volume "
                            + view.status().sourceVolume() + " by hand");
        } else {
            plan.waitFor("volumes", "the volumes of the cluster are not known completely");
        }
    }

    private static void removeClaims(MoveView view, PersistentVolumeClaim old, PlanBuilder plan) {
        List<ObjectWrite> keeps = new ArrayList<>();
        keep(view.target().get(), keeps);
        if (view.source().found()) {
            keep(view.source().get(), keeps);
        } else if (!view.source().notThere()) {
            plan.waitFor("volumes", "the volumes of the cluster are not known completely");
            return;
        }
        if (!keeps.isEmpty()) {
            plan.writes("keep both volumes of " + old.key(), keeps, ClusterWork.Kind.WRITE, true);
        } else if (view.copy().found()) {
            remove(view.copy().get(), plan);
        } else if (proved(
                view,
                view.copy(),
                MovedClaim.copyKey(view.move()),
                view.status().copyUid(),
                plan)) {
            remove(old, plan);
        }
    }

    private static void keep(PersistentVolume volume, List<ObjectWrite> writes) {
        if (volume.spec().reclaimPolicy() != ReclaimPolicy.RETAIN) {
            writes.add(policy(volume, ReclaimPolicy.RETAIN));
        }
    }

    private static void remove(PersistentVolumeClaim claim, PlanBuilder plan) {
        if (claim.metadata().deleting()) {
            plan.waitFor("the claim's end", claim.key() + " is deleted, and kept while it is used");
        } else {
            plan.step(ClusterWork.Remove.asSeen(claim));
        }
    }

    /** The claim of the new volume is gone before the old one; this is for a user who made one of that name since. */
    private static boolean gone(MoveView view, PlanBuilder plan) {
        return !view.copy().found()
                && proved(
                        view,
                        view.copy(),
                        MovedClaim.copyKey(view.move()),
                        view.status().copyUid(),
                        plan);
    }

    private static boolean proved(MoveView view, Lookup<?> lookup, ObjectKey key, String uid, PlanBuilder plan) {
        switch (lookup.state()) {
            case ABSENT -> {
                return true;
            }
            case MISSING -> plan.step(new ClusterWork.Verify(key, uid));
            case FOUND, UNKNOWN, UNNAMED ->
                plan.waitFor("claims", "whether " + key + " of " + view.move().key() + " is gone is not known yet");
        }
        return false;
    }

    private static void reserve(MoveView view, PlanBuilder plan) {
        PersistentVolume target = view.target().get();
        if (!view.claim().found()) {
            if (!reservedFor(view.move(), target)) {
                reserve(view, target, plan);
            } else if (view.claim().state() == Lookup.State.UNKNOWN) {
                plan.waitFor("claims", "the claims of the cluster are not known completely");
            } else {
                plan.step(new ClusterWork.Create(MovedClaim.withVolume(view.move())));
            }
            return;
        }
        PersistentVolumeClaim claim = view.claim().get();
        if (!claim.spec().volumeName().equals(target.metadata().name())) {
            MovePlanner.waits(
                    view,
                    plan,
                    "another program made claim " + claim.metadata().name()
                            + " while it was switched to its new volume; delete that claim, and the move makes its own");
        } else if (claim.status().phase() != ClaimPhase.BOUND || !ClaimFacts.has(claim, target)) {
            plan.waitFor("the binding", "claim " + claim.metadata().name() + " is bound to its new volume");
        } else {
            finish(view, claim, target, plan);
        }
    }

    private static void finish(MoveView view, PersistentVolumeClaim claim, PersistentVolume target, PlanBuilder plan) {
        List<ObjectWrite> policies = new ArrayList<>();
        ReclaimPolicy wanted = view.status().targetPolicy();
        if (wanted != ReclaimPolicy.UNKNOWN && target.spec().reclaimPolicy() != wanted) {
            policies.add(policy(target, wanted));
        }
        if (view.source().found() && deletes(view, view.source().get())) {
            policies.add(policy(view.source().get(), ReclaimPolicy.DELETE));
        }
        if (!policies.isEmpty()) {
            plan.writes(
                    "give the volumes of " + claim.key() + " their policies", policies, ClusterWork.Kind.WRITE, true);
        } else if (MovedClaim.heldBy(claim, view.move().metadata().uid())) {
            plan.write("let new pods have " + claim.key(), Optional.of(MovePlanner.release(claim)));
        } else {
            plan.write(
                    "end " + view.move().key(),
                    Optional.of(ObjectWrite.ofStatus(
                            view.move(), List.of(FieldChange.set(Phase.MOVED.apiName(), "status", "phase")))));
        }
    }

    /** Only the volume that the old claim had, and only while no other claim has it. */
    private static boolean deletes(MoveView view, PersistentVolume source) {
        @Nullable ObjectReference holder = source.spec().claimRef();
        return view.move().spec().oldVolume() == OldVolume.DELETE
                && source.spec().reclaimPolicy() == ReclaimPolicy.RETAIN
                && holder != null
                && holder.uid().equals(view.status().claimUid());
    }

    private static boolean reservedFor(VolumeMove move, PersistentVolume target) {
        @Nullable ObjectReference holder = target.spec().claimRef();
        return holder != null
                && holder.uid().isEmpty()
                && holder.namespace().equals(move.metadata().namespace())
                && holder.name().equals(move.spec().claimName());
    }

    /** By name only, as a user reserves one; never a volume that another claim has by now. */
    private static void reserve(MoveView view, PersistentVolume target, PlanBuilder plan) {
        @Nullable ObjectReference holder = target.spec().claimRef();
        if (holder != null && !holder.uid().equals(view.status().copyUid())) {
            MovePlanner.waits(
                    view,
                    plan,
                    "volume " + target.metadata().name() + ", which holds the copied data, names claim "
                            + holder.namespace() + "/" + holder.name() + "; take that claimRef away");
            return;
        }
        ObjectKey claim = MovePlanner.claimKey(view.move());
        plan.write(
                "reserve volume " + target.metadata().name() + " for " + claim,
                Optional.of(ObjectWrite.of(
                        target,
                        List.of(
                                FieldChange.set(
                                        Kind.PERSISTENT_VOLUME_CLAIM.apiVersion(), "spec", "claimRef", "apiVersion"),
                                FieldChange.set(Kind.PERSISTENT_VOLUME_CLAIM.apiName(), "spec", "claimRef", "kind"),
                                FieldChange.set(claim.namespace(), "spec", "claimRef", "namespace"),
                                FieldChange.set(claim.name(), "spec", "claimRef", "name"),
                                FieldChange.remove("spec", "claimRef", "uid"),
                                FieldChange.remove("spec", "claimRef", "resourceVersion"),
                                FieldChange.remove("metadata", "annotations", WellKnown.BOUND_BY_CONTROLLER)))));
    }

    private static ObjectWrite policy(PersistentVolume volume, ReclaimPolicy policy) {
        return ObjectWrite.of(
                volume, List.of(FieldChange.set(policy.apiName(), "spec", "persistentVolumeReclaimPolicy")));
    }
}
