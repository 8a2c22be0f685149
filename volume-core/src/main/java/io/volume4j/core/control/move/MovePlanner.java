package io.volume4j.core.control.move;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.ClaimFacts;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ClaimHold;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.VolumeMove;
import io.volume4j.spi.model.VolumeMove.Method;
import io.volume4j.spi.model.VolumeMove.Phase;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Moves a claim's data to a volume of another class, in the order of the phases. The old volume is never deleted:
 *
 * <ol>
 *   <li>{@code Copying} is stored, together with the manifest of the new claim. The controller holds the claim, so that no new pod
 *       gets it. It waits until no pod and no node uses the claim, first by the watches, then by the store. It creates a second
 *       claim of the new class, which is filled from the first. If a pod uses the claim before the copy is complete, it deletes the
 *       copy and copies again.
 *   <li>{@code Switching} is stored when the second claim is bound; {@link SwitchPlanner} plans this phase. From here the
 *       controller completes the move, even if a user deletes its object.
 *   <li>{@code Moved} or {@code Failed} ends it. The controller removes the hold and the finalizer.
 * </ol>
 *
 * <p>If a user deletes the move before {@code Switching}, the controller removes the second claim and the hold.
 */
public final class MovePlanner {
    public static final String TOPIC = "move";

    /** Keeps a move's object until nothing is incomplete. */
    public static final String FINALIZER = "volume4j.io/volume-move";

    static final String WAITS = "MoveWaits";
    static final String MOVED = "VolumeMoved";
    private static final String FAILED = "MoveFailed";

    private MovePlanner() {}

    public static Plan<ClusterStep> plan(MoveView view) {
        PlanBuilder plan = new PlanBuilder(view.move().key(), view.told(), TOPIC);
        switch (view.status().phase()) {
            case NONE -> begin(view, plan);
            case COPYING -> copying(view, plan);
            case SWITCHING -> SwitchPlanner.plan(view, plan);
            case MOVED, FAILED -> end(view, plan);
            case UNKNOWN ->
                plan.waitFor(
                        "a newer controller",
                        "this version does not know the phase of " + view.move().key());
        }
        return plan.plan();
    }

    private static void begin(MoveView view, PlanBuilder plan) {
        VolumeMove move = view.move();
        if (move.metadata().deleting()) {
            end(view, plan);
            return;
        }
        String claimName = OneLine.name(move.spec().claimName());
        if (!view.claim().found()) {
            awaits(view, plan, view.claim(), "claim " + claimName + " does not exist");
            return;
        }
        PersistentVolumeClaim claim = view.claim().get();
        String holder = ClaimHold.holder(claim);
        if (claim.metadata().deleting()) {
            waits(view, plan, "claim " + claimName + " is being deleted");
        } else if (claim.status().phase() != ClaimPhase.BOUND || !view.source().found()) {
            waits(view, plan, "claim " + claimName + " is not bound to a volume");
        } else if (!holder.isEmpty() && !holder.equals(view.uid())) {
            waits(view, plan, ClaimHold.reason(claim));
        } else if (claim.metadata().labels().containsKey(MovedClaim.LABEL)) {
            fail(view, plan, "claim " + claimName + " is the copy of another move");
        } else if (!move.spec().method().known()) {
            waits(view, plan, "spec.method is not known here: write Auto, Clone or Copy");
        } else if (!view.source().get().spec().reclaimPolicy().known()) {
            waits(view, plan, policyUnknown(view.source().get()));
        } else if (!move.metadata().finalizers().contains(FINALIZER)) {
            plan.write("keep " + move.key() + " until it is done", Optional.of(finalizers(move, names -> {
                names.add(FINALIZER);
                return names;
            })));
        } else {
            plan.write(
                    "begin " + move.key(),
                    Optional.of(ObjectWrite.ofStatus(
                            move,
                            List.of(
                                    FieldChange.set(Phase.COPYING.apiName(), "status", "phase"),
                                    FieldChange.set(claim.metadata().uid(), "status", "claimUID"),
                                    FieldChange.set(claim.spec().volumeName(), "status", "sourceVolume")))));
        }
    }

    private static void copying(MoveView view, PlanBuilder plan) {
        if (view.move().metadata().deleting()) {
            end(view, plan);
            return;
        }
        switch (view.oldClaim().state()) {
            case UNKNOWN, UNNAMED -> plan.waitFor("claims", "the claims of the cluster are not known completely");
            case MISSING ->
                plan.step(new ClusterWork.Verify(
                        claimKey(view.move()), view.status().claimUid()));
            case ABSENT ->
                fail(
                        view,
                        plan,
                        "claim " + OneLine.name(view.move().spec().claimName())
                                + " was deleted before its data was copied");
            case FOUND -> {
                if (view.oldClaim().get().metadata().deleting()) {
                    fail(
                            view,
                            plan,
                            "claim " + OneLine.name(view.move().spec().claimName())
                                    + " was deleted before its data was copied");
                } else {
                    hold(view, plan);
                }
            }
        }
    }

    /** The key of the claim that moves, old or new. */
    static ObjectKey claimKey(VolumeMove move) {
        return ObjectKey.claim(move.metadata().namespace(), move.spec().claimName());
    }

    private static void hold(MoveView view, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.oldClaim().get();
        String holder = ClaimHold.holder(claim);
        if (holder.isEmpty() && !view.copy().found() && !view.storageClass().found()) {
            awaitsClass(view, plan);
        } else if (holder.isEmpty()) {
            plan.write(
                    "hold " + claim.key(),
                    Optional.of(ObjectWrite.of(
                            claim,
                            List.of(FieldChange.set(
                                    ClaimHold.text(view.move()), "metadata", "annotations", ClaimHold.ANNOTATION)))));
        } else if (!holder.equals(view.uid())) {
            fail(view, plan, ClaimHold.reason(claim));
        } else if (!view.usersKnown()) {
            plan.waitFor("the cluster", "not all that may use " + claim.key() + " is known");
        } else if (!view.users().isEmpty()) {
            inUse(view, view.users(), plan);
        } else if (!view.unread().isEmpty() && view.asksStore()) {
            look(view, plan);
        } else if (!view.seen().isEmpty()) {
            inUse(view, view.seen(), plan);
            plan.waitUntil(view.seenUntil(), "the store shows a use that no watch has shown yet");
        } else {
            copy(view, claim, plan);
        }
    }

    /** Reads the users from the store, if there was no read or the last one is too old. */
    static void look(MoveView view, PlanBuilder plan) {
        view.unread().forEach(at -> plan.step(new ClusterWork.Look(view.move().key(), at)));
    }

    /**
     * A copy that was made while a pod used the claim may contain half of a change. This is stored before the removal, because the
     * pod may end before the copy is gone.
     */
    private static void inUse(MoveView view, List<String> users, PlanBuilder plan) {
        if (view.copy().found() && MovedClaim.isCopy(view.copy().get(), view.uid())) {
            PersistentVolumeClaim copy = view.copy().get();
            if (copy.metadata().deleting() || MovedClaim.givenUp(copy, view.uid())) {
                discard(copy, plan);
            } else {
                plan.report("give up " + copy.key(), Optional.of(giveUp(view, copy)));
            }
        }
        waits(
                view,
                plan,
                "claim " + OneLine.name(view.move().spec().claimName()) + " is used by " + String.join(", ", users)
                        + "; its data is copied when they have ended, and no new pod gets it until then");
    }

    private static void copy(MoveView view, PersistentVolumeClaim claim, PlanBuilder plan) {
        if (view.copy().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("claims", "the claims of the cluster are not known completely");
        } else if (!view.copy().found()) {
            create(view, claim, plan);
        } else {
            awaitCopy(view, view.copy().get(), plan);
        }
    }

    private static void create(MoveView view, PersistentVolumeClaim claim, PlanBuilder plan) {
        VolumeMove move = view.move();
        if (!view.storageClass().found()) {
            awaitsClass(view, plan);
        } else if (!view.source().found()) {
            awaits(view, plan, view.source(), "volume " + view.status().sourceVolume() + " does not exist");
        } else if (move.spec().method() == Method.CLONE && !view.clones()) {
            fail(
                    view,
                    plan,
                    "class " + OneLine.name(move.spec().storageClassName()) + " cannot clone volume "
                            + view.status().sourceVolume()
                            + ": one driver of this controller must make both volumes and fill volumes from claims");
        } else if (view.storageClass().get().volumeBindingMode() == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER
                && move.spec().nodeName().isEmpty()) {
            fail(
                    view,
                    plan,
                    "class " + OneLine.name(move.spec().storageClassName())
                            + " waits for its first consumer: write spec.nodeName, the node where the claim's pods will run");
        } else {
            boolean clone =
                    move.spec().method() == Method.CLONE || (move.spec().method() == Method.AUTO && view.clones());
            plan.step(new ClusterWork.Create(
                    MovedClaim.copy(move, claim, view.source().get(), clone)));
        }
    }

    private static void awaitsClass(MoveView view, PlanBuilder plan) {
        awaits(
                view,
                plan,
                view.storageClass(),
                "class " + OneLine.name(view.move().spec().storageClassName()) + " does not exist");
    }

    private static void awaitCopy(MoveView view, PersistentVolumeClaim copy, PlanBuilder plan) {
        if (!MovedClaim.isCopy(copy, view.uid())) {
            fail(
                    view,
                    plan,
                    "claim " + copy.metadata().name() + " has the name that the copy needs, and another made it");
        } else if (copy.metadata().deleting() || MovedClaim.givenUp(copy, view.uid())) {
            discard(copy, plan);
            waits(view, plan, "an earlier copy, " + copy.key() + ", is removed first" + keptBy(copy));
        } else if (!view.copyRefusal().isEmpty() && ClaimFacts.unbound(copy) && !ClaimFacts.beingProvisioned(copy)) {
            fail(view, plan, "the data cannot be copied: " + view.copyRefusal());
        } else if (MovedClaim.lacksNode(copy, view.move())) {
            selectNode(view, copy, plan);
        } else if (copy.status().phase() != ClaimPhase.BOUND || !view.target().found()) {
            waits(
                    view,
                    plan,
                    "the data is copied into the volume of " + copy.key() + "; its events say how far that is");
        } else if (!ClaimFacts.has(copy, view.target().get())) {
            plan.waitFor("a volume", "the volume of " + copy.key() + " does not name the claim yet");
        } else if (!MovedClaim.madeFor(copy, view.target().get(), view.move())) {
            fail(
                    view,
                    plan,
                    copy.key() + " was bound to volume "
                            + view.target().get().metadata().name()
                            + ", which was not made for it and does not hold the data; make no free volumes of class "
                            + OneLine.name(view.move().spec().storageClassName()) + " and move again");
        } else if (!view.source().found()) {
            awaits(view, plan, view.source(), "volume " + view.status().sourceVolume() + " does not exist");
        } else if (!view.source().get().spec().reclaimPolicy().known()) {
            waits(view, plan, policyUnknown(view.source().get()));
        } else if (!view.target().get().spec().reclaimPolicy().known()) {
            waits(view, plan, policyUnknown(view.target().get()));
        } else {
            switchOver(view, copy, view.target().get(), plan);
        }
    }

    /** A provisioner whose call failed returns the claim to the scheduler, but no pod names the copy. */
    private static void selectNode(MoveView view, PersistentVolumeClaim copy, PlanBuilder plan) {
        VolumeMove move = view.move();
        String node = OneLine.name(move.spec().nodeName());
        if (view.node().notThere()) {
            fail(view, plan, "node " + node + " does not exist; move again, with another node in spec.nodeName");
        } else if (!view.node().found()) {
            plan.waitFor("nodes", "the nodes of the cluster are not known completely");
        } else if (view.nodePause().isPresent()) {
            String why = "no volume of class " + OneLine.name(move.spec().storageClassName())
                    + " could be made for node " + node + ", see the events of " + copy.key()
                    + "; it is tried again. Delete this move to give up";
            plan.normal(move, WAITS, why).waitUntil(view.nodePause().getAsLong(), why);
        } else {
            plan.report(
                    "select node " + node + " again for " + copy.key(),
                    Optional.of(ObjectWrite.of(
                            copy,
                            List.of(FieldChange.set(
                                    move.spec().nodeName(), "metadata", "annotations", WellKnown.SELECTED_NODE)))));
        }
    }

    /** The move replaces the policies for a while, and could not restore this one. */
    private static String policyUnknown(PersistentVolume volume) {
        return "the reclaim policy of volume " + volume.metadata().name() + " is not known here";
    }

    private static void switchOver(
            MoveView view, PersistentVolumeClaim copy, PersistentVolume target, PlanBuilder plan) {
        // The first write changes nothing. It fails if an earlier leader gave up the copy and the cache does not show
        // it yet.
        plan.writes(
                "switch " + view.move().key() + " to volume "
                        + target.metadata().name(),
                List.of(
                        ObjectWrite.of(
                                copy, List.of(FieldChange.remove("metadata", "annotations", MovedClaim.GIVEN_UP))),
                        ObjectWrite.ofStatus(
                                view.move(),
                                List.of(
                                        FieldChange.set(Phase.SWITCHING.apiName(), "status", "phase"),
                                        FieldChange.set(
                                                MovedClaim.anew(
                                                        view.move(),
                                                        view.oldClaim().get()),
                                                "status",
                                                "claim"),
                                        FieldChange.set(copy.metadata().uid(), "status", "copyUID"),
                                        FieldChange.set(target.metadata().name(), "status", "targetVolume"),
                                        FieldChange.set(
                                                target.spec().reclaimPolicy().apiName(), "status", "targetPolicy"),
                                        FieldChange.set(
                                                view.source()
                                                        .get()
                                                        .spec()
                                                        .reclaimPolicy()
                                                        .apiName(),
                                                "status",
                                                "sourcePolicy")))),
                ClusterWork.Kind.WRITE,
                true);
    }

    static String keptBy(PersistentVolumeClaim claim) {
        return claim.metadata().finalizers().isEmpty()
                ? ""
                : "; it is kept by " + String.join(", ", claim.metadata().finalizers());
    }

    /**
     * Removes the copy first, then the hold, then the finalizer. So no other claim is filled from a claim that is free again. The
     * store must confirm that no copy is left, because nothing else would remove it later.
     */
    static void end(MoveView view, PlanBuilder plan) {
        VolumeMove move = view.move();
        boolean kept = move.metadata().finalizers().contains(FINALIZER);
        boolean moved = view.status().phase() == Phase.MOVED;
        Lookup<PersistentVolumeClaim> claim = moved ? view.claim() : view.oldClaim();
        boolean held = claim.found()
                && (MovedClaim.heldBy(claim.get(), view.uid()) || MovedClaim.givenUp(claim.get(), view.uid()));
        if (moved && view.claim().found() && kept) {
            plan.normal(
                    view.claim().get(),
                    MOVED,
                    "its data is on volume " + view.status().targetVolume() + " of class "
                            + OneLine.name(move.spec().storageClassName()) + " now");
        }
        if (tellsAtEnd(view) && kept) {
            plan.warning(move, FAILED, view.status().message());
        }
        boolean ended = !held && !kept;
        if (!moved && !ended && view.source().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("volumes", "the volumes of the cluster are not known completely");
            return;
        }
        // When the move has ended, the policies are the user's again.
        List<ObjectWrite> given = moved || ended ? List.of() : SwitchPlanner.giveUp(view);
        plan.writes("give up the copied volume of " + move.key(), given, ClusterWork.Kind.WRITE, true);
        if (!given.isEmpty()) {
            return;
        }
        if (view.copy().found() && MovedClaim.isCopy(view.copy().get(), view.uid())) {
            discard(view.copy().get(), plan);
        } else if (ended) {
            return;
        } else if (view.copy().state() == Lookup.State.UNKNOWN
                || view.oldClaim().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("claims", "the claims of the cluster are not known completely");
        } else if (!moved && view.copy().state() == Lookup.State.MISSING) {
            // The creation of the copy may be under way. This step waits for it.
            plan.step(new ClusterWork.Verify(
                    MovedClaim.copyKey(move), view.status().copyUid()));
        } else if (held) {
            plan.write("let new pods have " + claim.get().key(), Optional.of(release(view, claim.get())));
        } else {
            plan.write("let " + move.key() + " go", Optional.of(finalizers(move, names -> {
                names.remove(FINALIZER);
                return names;
            })));
        }
    }

    static ObjectWrite release(MoveView view, PersistentVolumeClaim held) {
        List<FieldChange> changes = new ArrayList<>();
        if (MovedClaim.heldBy(held, view.uid())) {
            changes.add(FieldChange.remove("metadata", "annotations", ClaimHold.ANNOTATION));
        }
        if (MovedClaim.givenUp(held, view.uid())) {
            changes.add(FieldChange.remove("metadata", "annotations", MovedClaim.GIVEN_UP));
        }
        return ObjectWrite.of(held, changes);
    }

    /** While it switches, a move may not fail after all, so the event is sent only after the phase is stored. */
    private static boolean tellsAtEnd(MoveView view) {
        return view.status().phase() == Phase.FAILED && !view.status().copyUid().isEmpty();
    }

    private static void discard(PersistentVolumeClaim copy, PlanBuilder plan) {
        if (copy.metadata().deleting()) {
            plan.waitFor("the claim's end", "the copy, " + copy.key() + ", is removed first");
        } else {
            plan.step(ClusterWork.Remove.asSeen(copy));
        }
    }

    static void fail(MoveView view, PlanBuilder plan, String why) {
        List<ObjectWrite> writes = new ArrayList<>();
        if (view.status().phase() == Phase.SWITCHING) {
            // The deletion of the claim may be under way. It needs the revision that this write changes, so one of them
            // fails.
            writes.add(giveUp(view, view.oldClaim().get()));
        } else {
            plan.warning(view.move(), FAILED, why);
        }
        writes.add(ObjectWrite.ofStatus(
                view.move(),
                List.of(
                        FieldChange.set(Phase.FAILED.apiName(), "status", "phase"),
                        FieldChange.set(why, "status", "message"))));
        plan.writes("end " + view.move().key(), writes, ClusterWork.Kind.WRITE, true);
    }

    private static ObjectWrite giveUp(MoveView view, PersistentVolumeClaim claim) {
        return ObjectWrite.of(
                claim, List.of(FieldChange.set(view.uid(), "metadata", "annotations", MovedClaim.GIVEN_UP)));
    }

    /** The lookup found nothing. A user gets an event only if all objects are known. */
    private static void awaits(MoveView view, PlanBuilder plan, Lookup<?> missing, String why) {
        if (missing.notThere()) {
            waits(view, plan, why);
        } else {
            plan.waitFor("the cluster", "the objects that the move names are not known completely");
        }
    }

    static void waits(MoveView view, PlanBuilder plan, String why) {
        plan.normal(view.move(), WAITS, why).waitFor("the claim", why);
    }

    private static ObjectWrite finalizers(VolumeMove move, UnaryOperator<List<String>> change) {
        return ObjectWrite.of(
                move,
                List.of(FieldChange.set(
                        change.apply(new ArrayList<>(move.metadata().finalizers())), "metadata", "finalizers")));
    }
}
