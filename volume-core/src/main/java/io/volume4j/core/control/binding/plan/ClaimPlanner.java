package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.binding.match.ClaimNeeds;
import io.volume4j.core.control.binding.match.Fit;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import java.util.List;
import java.util.Optional;

/**
 * Plans for claims. A claim has one of three states, which its fields show:
 *
 * <ul>
 *   <li><em>unbound</em>: has no volume name. It gets the best match; else the default class; else waits for its first consumer;
 *       else the controller provisions a volume; else it waits.
 *   <li><em>requested</em>: names a volume, binding not completed. It gets that volume or none.
 *   <li><em>completed</em>: was bound once. If its volume is missing now, it is lost. Incomplete fields are repaired.
 * </ul>
 *
 * <p>The table with every row is in {@code docs/binding.md}.
 */
public final class ClaimPlanner {
    private ClaimPlanner() {}

    public static Plan<ClusterStep> plan(ClaimView view) {
        PlanBuilder plan = new PlanBuilder(view.key(), view.told());
        PersistentVolumeClaim claim = view.claim();
        Optional<String> unknown = view.unknownWord();
        if (unknown.isPresent() && !claim.metadata().deleting()) {
            plan.waitFor(
                    "a newer version of volume4j, or another word",
                    unknown.get() + " has a word that this version does not know");
        } else if (Annotation.bindCompleted(claim)) {
            completed(view, plan);
        } else if (claim.metadata().deleting()) {
            ProvisionPlanner.settle(view.provisioning(), plan);
        } else if (claim.spec().volumeName().isEmpty()) {
            unbound(view, plan);
        } else {
            requested(view, plan);
        }
        return plan.plan();
    }

    private static void unbound(ClaimView view, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        if (!view.choiceKnown()) {
            plan.waitFor("the cluster", "the volumes, classes or nodes of the cluster are not known completely");
            return;
        }
        if (view.match().found()) {
            bind(view, view.match().get(), plan);
            return;
        }
        if (claim.classUnset() && !view.defaultClass().isEmpty()) {
            plan.write(
                    "give " + claim.key() + " the default class " + view.defaultClass(),
                    Optional.of(ClaimWrites.giveClass(claim, view.defaultClass())));
            return;
        }
        pending(claim, plan);
        if (view.waitsForConsumer() && !view.provisioning().open()) {
            waitForConsumer(view, plan);
        } else if (!claim.className().isEmpty() || view.provisioning().open()) {
            ProvisionPlanner.provide(view.provisioning(), plan);
        } else {
            String why = "no volume is available for the claim, and it names no storage class that could make one";
            plan.normal(claim, EventReason.FAILED_BINDING, why).waitFor("a volume", why);
        }
    }

    private static void waitForConsumer(ClaimView view, PlanBuilder plan) {
        if (view.unscheduledPods().isEmpty()) {
            String why = "waiting for the first pod that uses the claim before binding it";
            plan.normal(view.claim(), EventReason.WAIT_FOR_FIRST_CONSUMER, why).waitFor("a pod", why);
        } else {
            String why = "waiting for pod " + String.join(", ", view.unscheduledPods()) + " to be scheduled";
            plan.normal(view.claim(), EventReason.WAIT_FOR_POD_SCHEDULED, why).waitFor("the scheduler", why);
        }
    }

    private static void requested(ClaimView view, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        String wanted = OneLine.name(claim.spec().volumeName());
        switch (view.volume().state()) {
            case ABSENT, MISSING -> {
                pending(claim, plan);
                plan.waitFor("volume " + wanted, "the claim asks for volume " + wanted + ", which does not exist");
            }
            case FOUND -> {
                PersistentVolume volume = view.volume().get();
                if (ClaimReference.isFor(volume, claim) || ClaimReference.unclaimed(volume)) {
                    bindIfItFits(view, volume, plan);
                } else {
                    taken(claim, volume, plan);
                }
            }
            default -> plan.waitFor("volumes", "the volumes of the cluster are not known completely");
        }
        if (!plan.hasSteps()) {
            ProvisionPlanner.settle(view.provisioning(), plan);
        }
    }

    private static void bindIfItFits(ClaimView view, PersistentVolume volume, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        Optional<String> refusal = refusal(claim, volume);
        if (refusal.isEmpty()) {
            bind(view, volume, plan);
            return;
        }
        String why = "cannot bind to the requested volume " + name(volume) + ": " + refusal.get();
        pending(claim, plan);
        plan.warning(claim, EventReason.VOLUME_MISMATCH, why).waitFor("the volume", why);
    }

    /** What is reserved for the claim is its volume, whatever it asks for. A deletion that has begun may still take effect. */
    private static Optional<String> refusal(PersistentVolumeClaim claim, PersistentVolume volume) {
        if (ReclaimIntent.deletes(volume)) {
            return Optional.of("its storage may be being deleted");
        }
        return ClaimReference.isFor(volume, claim)
                ? Optional.empty()
                : Fit.refusalOfRequested(ClaimNeeds.of(claim, null), volume);
    }

    private static void taken(PersistentVolumeClaim claim, PersistentVolume volume, PlanBuilder plan) {
        String why = "volume " + name(volume) + " is already bound to or reserved for another claim";
        if (!Annotation.boundByController(claim)) {
            pending(claim, plan);
        }
        plan.warning(claim, EventReason.FAILED_BINDING, why).waitFor("the volume", why);
    }

    private static void completed(ClaimView view, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        String name = claim.spec().volumeName();
        if (claim.metadata().deleting() && !view.volume().found()) {
            ProvisionPlanner.settle(view.provisioning(), plan);
            return;
        }
        if (name.isEmpty()) {
            lost(
                    claim,
                    EventReason.CLAIM_LOST,
                    "the bound claim no longer names its volume; its data may be lost",
                    plan);
            return;
        }
        switch (view.volume().state()) {
            case MISSING -> {
                // The cache may be later with volumes than with claims. So the store must confirm the absence before a
                // claim becomes Lost.
                if (claim.status().phase() != ClaimPhase.LOST) {
                    plan.step(new ClusterWork.Verify(ObjectKey.volume(name), ""));
                }
                String shown = "volume " + OneLine.name(name);
                plan.waitFor(shown, shown + " of the bound claim is gone");
            }
            case ABSENT ->
                lost(
                        claim,
                        EventReason.CLAIM_LOST,
                        "volume " + OneLine.name(name) + " of the bound claim is gone; its data may be lost",
                        plan);
            case FOUND -> {
                PersistentVolume volume = view.volume().get();
                if (ClaimReference.unclaimed(volume) || ClaimReference.isFor(volume, claim)) {
                    bind(view, volume, plan);
                } else {
                    lost(
                            claim,
                            EventReason.CLAIM_MISBOUND,
                            "volume " + name + " belongs to another claim, to which it was bound first",
                            plan);
                }
            }
            default -> plan.waitFor("volumes", "the volumes of the cluster are not known completely");
        }
        if (!plan.hasSteps()) {
            ProvisionPlanner.settle(view.provisioning(), plan);
        }
    }

    private static void bind(ClaimView view, PersistentVolume volume, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        Optional<Quantity> capacity = Binding.capacity(volume);
        if (capacity.isEmpty()) {
            String why = "volume " + name(volume) + " says no capacity, so the claim cannot be bound to it";
            plan.warning(claim, EventReason.FAILED_BINDING, why).waitFor("the volume", why);
            return;
        }
        ProvisionView provisioning = view.provisioning();
        boolean dropIntent = provisioning.here()
                && provisioning.intentError().isEmpty()
                && (!provisioning.doubt() || name(volume).equals(ProvisioningIntent.volumeNameFor(claim)));
        List<ObjectWrite> writes = Binding.writes(claim, volume, capacity.get(), dropIntent);
        if (!writes.isEmpty()) {
            plan.step(new ClusterWork.Write(
                    "bind " + claim.key() + " to volume " + name(volume),
                    writes,
                    name(volume),
                    ClusterWork.Kind.WRITE.name(),
                    true));
        }
    }

    private static void pending(PersistentVolumeClaim claim, PlanBuilder plan) {
        plan.report("mark " + claim.key() + " as pending", ClaimWrites.phase(claim, ClaimPhase.PENDING));
    }

    private static void lost(PersistentVolumeClaim claim, String reason, String why, PlanBuilder plan) {
        plan.report("mark " + claim.key() + " as lost", ClaimWrites.phase(claim, ClaimPhase.LOST))
                .warning(claim, reason, why)
                .waitFor("the volume, or a repair", why);
    }

    private static String name(PersistentVolume volume) {
        return volume.metadata().name();
    }
}
