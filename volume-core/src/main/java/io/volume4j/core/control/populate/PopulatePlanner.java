package io.volume4j.core.control.populate;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectReference;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeBindingMode;
import io.volume4j.spi.model.WellKnown;
import io.volume4j.spi.plugin.Populator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fills a volume before its claim gets it:
 *
 * <ol>
 *   <li>the claim gets an intent and a finalizer,
 *   <li>the controller creates a prime claim with the same requests in a separate namespace; it gets a volume like every claim,
 *   <li>the populator fills that volume; the controller asks until the populator has finished,
 *   <li>the controller reserves the volume for the user's claim, with one write, which records that the volume is filled; then the
 *       claim is bound to it,
 *   <li>the populator cleans up, and the controller removes the prime claim, then the intent and the finalizer.
 * </ol>
 *
 * <p>If a user deletes the claim before the fourth step, the controller continues with the fifth. The volume is then reclaimed
 * after its prime claim, like every volume of a deleted claim.
 */
public final class PopulatePlanner {
    /** The topic of its events. */
    public static final String TOPIC = "filling";

    /** Also the reason for claims whose volume cannot be provisioned. */
    private static final String PROVISIONING_FAILED = "ProvisioningFailed";

    private PopulatePlanner() {}

    public static Plan<ClusterStep> plan(PopulateView view) {
        PlanBuilder plan = new PlanBuilder(view.claim().key(), view.told(), TOPIC);
        PersistentVolumeClaim claim = view.claim();
        boolean begun = claim.metadata().finalizers().contains(Prime.FINALIZER);
        if (claim.metadata().deleting() || claim.status().phase() == ClaimPhase.BOUND) {
            if (begun) {
                end(view, plan);
            }
        } else if (view.given()) {
            plan.waitFor("its binding", "the volume is filled and reserved for the claim");
        } else if (mayFill(view, plan)) {
            if (!begun) {
                plan.prepare("intend to fill a volume for " + claim.key(), intend(view), PopulateStep.Kind.FILL.name());
            } else if (holds(view, plan)) {
                fill(view, plan);
            }
        }
        return plan.plan();
    }

    /** The binding feature reports refusals. */
    private static boolean mayFill(PopulateView view, PlanBuilder plan) {
        if (!view.source().known() || !view.source().refusal().isEmpty()) {
            return false;
        }
        Optional<String> unknown = view.claim().spec().unknownWord();
        if (unknown.isPresent()) {
            plan.waitFor(
                    "a newer version of volume4j, or another word",
                    "the claim's " + unknown.get() + " has a word that this version does not know");
            return false;
        }
        if (view.storageClass().found()
                && view.storageClass().get().volumeBindingMode() == VolumeBindingMode.WAIT_FOR_FIRST_CONSUMER
                && view.claim().metadata().annotation(WellKnown.SELECTED_NODE).isEmpty()) {
            plan.waitFor("a pod", "the volume is filled when it is known where its first pod will run");
            return false;
        }
        return true;
    }

    /** Whether the intent has this leader's epoch. Otherwise the leader first takes the intent over. */
    private static boolean holds(PopulateView view, PlanBuilder plan) {
        if (view.leftUntil().isPresent()) {
            plan.waitUntil(view.leftUntil().getAsLong(), "a newer leader has the volume filled");
            return false;
        }
        if (Prime.leaderOf(view.claim()) != view.epoch()) {
            plan.prepare(
                    "take over the filling for " + view.claim().key(), intend(view), PopulateStep.Kind.FILL.name());
            return false;
        }
        return true;
    }

    private static void fill(PopulateView view, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        if (view.prime().state() == Lookup.State.UNKNOWN || view.volume().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("claims and volumes", "the claims and volumes of the cluster are not known completely");
        } else if (!view.prime().found()) {
            plan.step(new ClusterWork.Create(Prime.of(view.namespace(), claim)));
        } else if (!Prime.isOf(view.prime().get(), claim)) {
            String why = "claim " + view.prime().get().key() + " has the name that is needed to fill the volume";
            plan.warning(claim, PROVISIONING_FAILED, why).waitFor("that claim", why);
        } else if (view.prime().get().status().phase() == ClaimPhase.LOST) {
            // A lost prime claim gets no other volume, and the populator must clean up before it fills another one.
            takeDown(view, plan);
        } else if (!view.volume().found()) {
            awaitVolume(view, plan);
        } else if (view.volume().get().metadata().deleting()) {
            // The claim could not be bound to it, and it stays while a claim has it.
            takeDown(view, plan);
        } else if (view.memory().ofAnother(view.volume().get().metadata().uid())) {
            cleanUp(view, plan);
        } else if (view.memory().done()) {
            plan.write(
                    "give the filled volume to " + claim.key(),
                    Optional.of(handOver(view, view.volume().get())));
        } else if (view.memory().askAt() - view.now() > 0 && view.memory().askAt() != Long.MIN_VALUE) {
            plan.waitUntil(
                    view.memory().askAt(),
                    "the volume is being filled from " + view.source().what());
        } else {
            tellFailure(view, plan);
            ask(view, plan);
        }
    }

    private static void ask(PopulateView view, PlanBuilder plan) {
        plan.step(new PopulateStep.Fill(
                view.claim().key(),
                new Populator.Request(
                        view.claim().metadata().uid(),
                        view.claim(),
                        view.reference(),
                        view.prime().get(),
                        view.volume().get()),
                view.epoch()));
    }

    private static void end(PopulateView view, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        if (!holds(view, plan)) {
            return;
        }
        if (view.prime().state() == Lookup.State.UNKNOWN) {
            plan.waitFor("claims", "the claims of the cluster are not known completely");
        } else if (!view.memory().cleaned()
                || (view.prime().found() && Prime.isOf(view.prime().get(), claim))) {
            takeDown(view, plan);
        } else {
            plan.write("close the filling of " + claim.key(), Optional.of(close(claim)));
        }
    }

    /** First the populator cleans up, then the prime claim is removed, if there is one. */
    private static void takeDown(PopulateView view, PlanBuilder plan) {
        if (!view.memory().cleaned()) {
            cleanUp(view, plan);
            return;
        }
        PersistentVolumeClaim prime = view.prime().get();
        if (!prime.metadata().deleting()) {
            plan.step(ClusterWork.Remove.asSeen(prime));
        }
        plan.waitFor("the claim's end", "claim " + prime.key() + " is removed first");
    }

    private static void cleanUp(PopulateView view, PlanBuilder plan) {
        tellFailure(view, plan);
        PersistentVolumeClaim claim = view.claim();
        plan.step(new PopulateStep.CleanUp(
                claim.key(),
                new Populator.CleanUpRequest(
                        claim.metadata().uid(),
                        view.namespace(),
                        Prime.key(view.namespace(), claim).name()),
                view.reference(),
                view.epoch()));
    }

    /**
     * The provisioner sees the prime claim, and the scheduler sees the user's claim. If the provisioner rejects the node, the
     * user's claim loses it too; the next selected node is passed to the prime claim.
     */
    private static void awaitVolume(PopulateView view, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        PersistentVolumeClaim prime = view.prime().get();
        String chosen = claim.metadata().annotation(WellKnown.SELECTED_NODE);
        String has = prime.metadata().annotation(WellKnown.SELECTED_NODE);
        if (chosen.isEmpty() || chosen.equals(has)) {
            plan.waitFor("a volume", "claim " + prime.key() + " gets the volume that is to be filled");
        } else if (has.isEmpty() && chosen.equals(prime.metadata().annotation(Prime.FOR_NODE))) {
            // The scheduler may select the same node again. It is then tried again.
            plan.writes(
                    "take back the node chosen for " + claim.key(),
                    List.of(
                            ObjectWrite.of(
                                    claim,
                                    List.of(FieldChange.remove("metadata", "annotations", WellKnown.SELECTED_NODE))),
                            ObjectWrite.of(
                                    prime, List.of(FieldChange.remove("metadata", "annotations", Prime.FOR_NODE)))),
                    ClusterWork.Kind.WRITE,
                    true);
        } else {
            plan.write(
                    "have the volume for " + claim.key() + " made at node " + OneLine.name(chosen),
                    Optional.of(ObjectWrite.of(
                            prime,
                            List.of(
                                    FieldChange.set(chosen, "metadata", "annotations", WellKnown.SELECTED_NODE),
                                    FieldChange.set(chosen, "metadata", "annotations", Prime.FOR_NODE)))));
        }
    }

    private static void tellFailure(PopulateView view, PlanBuilder plan) {
        @Nullable VolumeException failure = view.memory().failure();
        if (failure != null) {
            plan.warning(
                    view.claim(),
                    PROVISIONING_FAILED,
                    "failed to fill a volume from " + view.source().what() + ": " + failure.getMessage());
        }
    }

    private static ObjectWrite intend(PopulateView view) {
        PersistentVolumeClaim claim = view.claim();
        List<FieldChange> changes = new ArrayList<>();
        changes.add(FieldChange.set(Long.toString(view.epoch()), "metadata", "annotations", Prime.INTENT));
        List<String> finalizers = new ArrayList<>(claim.metadata().finalizers());
        if (!finalizers.contains(Prime.FINALIZER)) {
            finalizers.add(Prime.FINALIZER);
            changes.add(FieldChange.set(finalizers, "metadata", "finalizers"));
        }
        return ObjectWrite.of(claim, changes);
    }

    private static ObjectWrite close(PersistentVolumeClaim claim) {
        List<FieldChange> changes = new ArrayList<>();
        changes.add(FieldChange.remove("metadata", "annotations", Prime.INTENT));
        List<String> finalizers = new ArrayList<>(claim.metadata().finalizers());
        finalizers.remove(Prime.FINALIZER);
        changes.add(FieldChange.set(finalizers, "metadata", "finalizers"));
        return ObjectWrite.of(claim, changes);
    }

    private static ObjectWrite handOver(PopulateView view, PersistentVolume volume) {
        ObjectReference to = ObjectReference.to(view.claim());
        return ObjectWrite.of(
                volume,
                List.of(
                        FieldChange.set(to.namespace(), "spec", "claimRef", "namespace"),
                        FieldChange.set(to.name(), "spec", "claimRef", "name"),
                        FieldChange.set(to.uid(), "spec", "claimRef", "uid"),
                        FieldChange.remove("spec", "claimRef", "resourceVersion"),
                        FieldChange.set(view.source().what(), "metadata", "annotations", Prime.POPULATED_FROM)));
    }
}
