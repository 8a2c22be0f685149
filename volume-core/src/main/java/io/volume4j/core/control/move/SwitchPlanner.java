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
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.VolumeMove.Phase;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives a claim its new, filled volume. At every step the user keeps at least one of the two volumes:
 *
 * <ol>
 *   <li>both volumes get the policy Retain,
 *   <li>the controller removes the copy, and reserves its volume for the user's claim by name; so a claim that another program
 *       creates with the name gets no empty volume,
 *   <li>it reads once more from the store whether a pod has the old claim, then removes the old claim and creates it again, held,
 *   <li>when the new claim is bound, the new volume gets its own policy, the hold is removed, and the move has ended.
 * </ol>
 *
 * <p>The old volume stays, released. The store must confirm each removal before the next step. If a pod gets the old claim again
 * before its removal, the copy is out of date: the move fails, and the claim stays as it was. A failure first changes the old claim,
 * so that it and the removal exclude each other: if the removal was first, the move goes on. The controller trusts the move's status
 * only about volumes that belong to the move's own claims.
 */
final class SwitchPlanner {
    private SwitchPlanner() {}

    static void plan(MoveView view, PlanBuilder plan) {
        if (!view.target().found()) {
            lost(view, plan);
        } else if (!view.oldClaim().found()) {
            if (proved(
                    view.oldClaim(),
                    MovePlanner.claimKey(view.move()),
                    view.status().claimUid(),
                    plan)) {
                makeAnew(view, plan);
            }
        } else if (view.oldClaim().get().metadata().deleting()) {
            PersistentVolumeClaim old = view.oldClaim().get();
            if (awaitsReservation(view.move(), view.target().get())) {
                // This deletion is not the controller's, which would have come last.
                reserve(view, plan);
            }
            MovePlanner.waits(
                    view,
                    plan,
                    "claim " + old.metadata().name() + " is deleted, to be made anew" + MovePlanner.keptBy(old));
        } else {
            replace(view, view.oldClaim().get(), view.target().get(), plan);
        }
    }

    private static void lost(MoveView view, PlanBuilder plan) {
        String gone = "volume " + view.status().targetVolume() + ", which holds the copied data, is gone";
        if (view.target().state() == Lookup.State.MISSING) {
            plan.step(new ClusterWork.Verify(ObjectKey.volume(view.status().targetVolume()), ""));
        } else if (view.target().state() != Lookup.State.ABSENT) {
            plan.waitFor("volumes", "the volumes of the cluster are not known completely");
        } else if (view.oldClaim().found() && !view.oldClaim().get().metadata().deleting()) {
            MovePlanner.fail(view, plan, gone);
        } else {
            hopeless(
                    view,
                    gone + "; the old volume " + view.status().sourceVolume()
                            + " has the data: delete this move, remove the claimRef of that volume when the old claim is gone,"
                            + " and make a claim with the volume's name in spec.volumeName",
                    plan);
        }
    }

    /** The controller cannot finish the move, and the old claim cannot come back. The move ends when a user deletes it. */
    private static void hopeless(MoveView view, String why, PlanBuilder plan) {
        if (!view.move().metadata().deleting()) {
            MovePlanner.waits(view, plan, why);
        } else if (view.claim().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("claims", "the claims of the cluster are not known completely");
        } else if (view.claim().found() && MovedClaim.heldBy(view.claim().get(), view.uid())) {
            PersistentVolumeClaim claim = view.claim().get();
            plan.write("let new pods have " + claim.key(), Optional.of(MovePlanner.release(view, claim)));
        } else {
            MovePlanner.end(view, plan);
        }
    }

    /** The old claim has not changed yet. */
    private static void replace(MoveView view, PersistentVolumeClaim old, PersistentVolume target, PlanBuilder plan) {
        VolumeMove move = view.move();
        List<String> users = view.users().isEmpty() ? view.seen() : view.users();
        if (MovedClaim.givenUp(old, view.uid())) {
            MovePlanner.fail(
                    view,
                    plan,
                    "the copy of claim " + old.metadata().name()
                            + " was given up, because a pod used the claim or the new volume was lost");
        } else if (!users.isEmpty()) {
            MovePlanner.fail(
                    view,
                    plan,
                    "claim " + old.metadata().name() + " was used by " + String.join(", ", users)
                            + " after its data was copied; the copy is given up");
        } else if (!mayUse(move, target)) {
            MovePlanner.fail(
                    view,
                    plan,
                    "volume " + target.metadata().name()
                            + ", which holds the copied data, is deleted or belongs to another claim");
        } else if (view.source().state() == Lookup.State.MISSING) {
            // Without its old volume the claim is lost, and the new one has the data.
            plan.step(new ClusterWork.Verify(ObjectKey.volume(view.status().sourceVolume()), ""));
        } else if (view.source().state() != Lookup.State.ABSENT && !hasSource(view)) {
            MovePlanner.waits(
                    view,
                    plan,
                    "volume " + view.status().sourceVolume() + " of claim "
                            + old.metadata().name() + " is not known, or does not name the claim");
        } else if (!MovedClaim.reserved(move, target)) {
            reserve(view, plan);
        } else if (keeps(view, plan) && copyIsGone(view, plan)) {
            removeUnused(view, old, plan);
        }
    }

    private static boolean hasSource(MoveView view) {
        return view.source().found()
                && MovedClaim.has(
                        MovePlanner.claimKey(view.move()),
                        view.status().claimUid(),
                        view.source().get());
    }

    private static boolean mayUse(VolumeMove move, PersistentVolume target) {
        boolean ours = MovedClaim.has(MovedClaim.copyKey(move), move.status().copyUid(), target)
                || MovedClaim.reserved(move, target);
        return ours
                && !target.metadata().deleting()
                && target.metadata().annotation(ClaimFacts.RECLAIM_INTENT).isEmpty();
    }

    /** Whether the new volume is still the copy's. If a user deletes the claim then, the copy may be all that is left of the data. */
    private static boolean awaitsReservation(VolumeMove move, PersistentVolume target) {
        return !MovedClaim.reserved(move, target) && mayUse(move, target);
    }

    private static void reserve(MoveView view, PlanBuilder plan) {
        PersistentVolume target = view.target().get();
        if (keeps(view, plan) && copyIsGone(view, plan)) {
            plan.write(
                    "reserve volume " + target.metadata().name() + " for " + MovePlanner.claimKey(view.move()),
                    Optional.of(reservation(view.move(), target)));
        }
    }

    /** The old volume only while its claim has it: when a user has deleted the claim, the volume's own policy applies. */
    private static boolean keeps(MoveView view, PlanBuilder plan) {
        List<PersistentVolume> volumes = new ArrayList<>(List.of(view.target().get()));
        if (view.oldClaim().found() && hasSource(view)) {
            volumes.add(view.source().get());
        }
        List<ObjectWrite> writes = new ArrayList<>();
        for (PersistentVolume volume : volumes) {
            if (volume.spec().reclaimPolicy() != ReclaimPolicy.RETAIN) {
                writes.add(ObjectWrite.of(volume, List.of(policy(ReclaimPolicy.RETAIN))));
            }
        }
        plan.writes("keep both volumes of " + view.move().key(), writes, ClusterWork.Kind.WRITE, true);
        return writes.isEmpty();
    }

    private static boolean copyIsGone(MoveView view, PlanBuilder plan) {
        if (!view.copy().found()) {
            return proved(
                    view.copy(), MovedClaim.copyKey(view.move()), view.status().copyUid(), plan);
        }
        PersistentVolumeClaim copy = view.copy().get();
        if (copy.metadata().deleting()) {
            MovePlanner.waits(view, plan, copy.key() + " is deleted first" + MovePlanner.keptBy(copy));
        } else {
            plan.step(ClusterWork.Remove.asSeen(copy));
        }
        return false;
    }

    /** From its deletion on no new pod gets the old claim, even if another program does not know the hold. */
    private static void removeUnused(MoveView view, PersistentVolumeClaim old, PlanBuilder plan) {
        String now = MovedClaim.anew(view.move(), old);
        if (!view.usersKnown()) {
            plan.waitFor("the cluster", "not all that may use " + old.key() + " is known");
        } else if (!now.equals(view.status().claim())) {
            // A user changed the claim after the switch began. The removal names the revision that is stored here.
            plan.write(
                    "store how " + old.key() + " is now",
                    Optional.of(ObjectWrite.ofStatus(view.move(), List.of(FieldChange.set(now, "status", "claim")))));
        } else if (!view.unread().isEmpty()) {
            MovePlanner.look(view, plan);
        } else {
            plan.step(ClusterWork.Remove.asSeen(old));
        }
    }

    private static boolean proved(Lookup<?> lookup, ObjectKey key, String uid, PlanBuilder plan) {
        switch (lookup.state()) {
            case ABSENT -> {
                return true;
            }
            case MISSING -> plan.step(new ClusterWork.Verify(key, uid));
            case FOUND, UNKNOWN, UNNAMED -> plan.waitFor("claims", "whether " + key + " is gone is not known yet");
        }
        return false;
    }

    private static void makeAnew(MoveView view, PlanBuilder plan) {
        PersistentVolume target = view.target().get();
        if (awaitsReservation(view.move(), target)) {
            reserve(view, plan);
        } else if (view.claim().found()) {
            awaitBinding(view, view.claim().get(), target, plan);
        } else if (view.claim().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("claims", "the claims of the cluster are not known completely");
        } else if (!MovedClaim.reserved(view.move(), target)) {
            hopeless(
                    view,
                    "volume " + target.metadata().name()
                            + ", which holds the copied data, is not reserved for the claim any more: delete this move, and make a claim"
                            + " with the volume's name in spec.volumeName if no other claim has the volume",
                    plan);
        } else {
            MovedClaim.withVolume(view.move())
                    .ifPresentOrElse(
                            claim -> plan.step(new ClusterWork.Create(claim)),
                            () -> hopeless(
                                    view,
                                    "status.claim cannot be read: delete this move, and make claim "
                                            + MovePlanner.claimKey(view.move()).name() + " with volume "
                                            + target.metadata().name() + " in spec.volumeName",
                                    plan));
        }
    }

    private static void awaitBinding(
            MoveView view, PersistentVolumeClaim claim, PersistentVolume target, PlanBuilder plan) {
        String wants = claim.spec().volumeName();
        String data = "volume " + target.metadata().name() + ", which holds the copied data";
        if (!wants.isEmpty() && !wants.equals(target.metadata().name())) {
            hopeless(
                    view,
                    "claim " + claim.metadata().name() + " names volume " + OneLine.name(wants) + ", and not " + data
                            + ": delete this move; that volume stays, and a user can bind another claim to it",
                    plan);
        } else if (claim.status().phase() != ClaimPhase.BOUND || !ClaimFacts.has(claim, target)) {
            MovePlanner.waits(view, plan, "claim " + claim.metadata().name() + " is to be bound to " + data);
        } else {
            finish(view, claim, target, plan);
        }
    }

    private static void finish(MoveView view, PersistentVolumeClaim claim, PersistentVolume target, PlanBuilder plan) {
        ReclaimPolicy wanted = view.status().targetPolicy();
        if (wanted.known() && target.spec().reclaimPolicy() != wanted) {
            plan.write(
                    "give volume " + target.metadata().name() + " its policy",
                    Optional.of(ObjectWrite.of(
                            target,
                            List.of(policy(wanted), FieldChange.remove("metadata", "annotations", MovedClaim.LABEL)))));
        } else if (MovedClaim.heldBy(claim, view.uid())) {
            plan.write("let new pods have " + claim.key(), Optional.of(MovePlanner.release(view, claim)));
        } else {
            plan.write(
                    "end " + view.move().key(),
                    Optional.of(ObjectWrite.ofStatus(
                            view.move(), List.of(FieldChange.set(Phase.MOVED.apiName(), "status", "phase")))));
        }
    }

    /** By name only, like the reservation of a user. */
    private static ObjectWrite reservation(VolumeMove move, PersistentVolume target) {
        ObjectKey claim = MovePlanner.claimKey(move);
        return ObjectWrite.of(
                target,
                List.of(
                        FieldChange.set(Kind.PERSISTENT_VOLUME_CLAIM.apiVersion(), "spec", "claimRef", "apiVersion"),
                        FieldChange.set(Kind.PERSISTENT_VOLUME_CLAIM.apiName(), "spec", "claimRef", "kind"),
                        FieldChange.set(claim.namespace(), "spec", "claimRef", "namespace"),
                        FieldChange.set(claim.name(), "spec", "claimRef", "name"),
                        FieldChange.remove("spec", "claimRef", "uid"),
                        FieldChange.remove("spec", "claimRef", "resourceVersion"),
                        FieldChange.set(move.metadata().uid(), "metadata", "annotations", MovedClaim.LABEL),
                        FieldChange.remove("metadata", "annotations", WellKnown.BOUND_BY_CONTROLLER)));
    }

    /**
     * After a failed move the claim keeps its old volume, with the policy that it had. The filled volume belongs to the copy again,
     * with its own policy, and is reclaimed. If a user removed the old volume by force, the filled one stays, with policy Retain: no other
     * volume with the data is left.
     */
    static List<ObjectWrite> giveUp(MoveView view) {
        VolumeMove.Status status = view.status();
        List<ObjectWrite> writes = new ArrayList<>();
        if (status.phase() == Phase.FAILED
                && status.sourcePolicy().known()
                && status.sourcePolicy() != ReclaimPolicy.RETAIN
                && view.source().found()
                && view.source().get().spec().reclaimPolicy() == ReclaimPolicy.RETAIN
                && MovedClaim.has(
                        MovePlanner.claimKey(view.move()),
                        status.claimUid(),
                        view.source().get())) {
            writes.add(ObjectWrite.of(view.source().get(), List.of(policy(status.sourcePolicy()))));
        }
        if (view.target().found()
                && !status.copyUid().isEmpty()
                && view.oldClaim().found()) {
            giveUpTarget(view, view.target().get(), writes);
        }
        return writes;
    }

    private static void giveUpTarget(MoveView view, PersistentVolume target, List<ObjectWrite> writes) {
        ObjectKey copy = MovedClaim.copyKey(view.move());
        boolean reserved = MovedClaim.reserved(view.move(), target);
        boolean ours = reserved || MovedClaim.has(copy, view.status().copyUid(), target);
        ReclaimPolicy policy = view.status().targetPolicy();
        List<FieldChange> changes = new ArrayList<>();
        if (ours && view.source().found() && policy.known() && target.spec().reclaimPolicy() != policy) {
            changes.add(policy(policy));
        }
        if (reserved) {
            changes.add(FieldChange.set(copy.name(), "spec", "claimRef", "name"));
            changes.add(FieldChange.set(view.status().copyUid(), "spec", "claimRef", "uid"));
        }
        if (!changes.isEmpty()) {
            writes.add(ObjectWrite.of(target, changes));
        }
    }

    private static FieldChange policy(ReclaimPolicy policy) {
        return FieldChange.set(policy.apiName(), "spec", "persistentVolumeReclaimPolicy");
    }
}
