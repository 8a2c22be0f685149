package io.volume4j.core.control.ephemeral;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.LastEvents;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.OwnerReference;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Creates the claims of pods, never uses another owner's claim for one of them, and removes claims of a pod that is gone. Claims of
 * templates have no owner unless their retention policy says so; they are found by name.
 */
public final class EphemeralPlanner {
    /** The topic of its events. */
    public static final String TOPIC = "claims";

    private static final String FAILED = "FailedCreateClaim";
    private static final String NOT_OURS = "ClaimNotOwned";

    private EphemeralPlanner() {}

    public static Plan<ClusterStep> plan(EphemeralView view) {
        return view instanceof PodView pod ? plan(pod) : plan((OwnedClaimView) view);
    }

    /** Plans the claims of a pod. */
    public static Plan<ClusterStep> plan(PodView view) {
        PlanBuilder plan = new PlanBuilder(view.pod().key(), view.told(), TOPIC);
        boolean ending = view.pod().metadata().deleting() || view.pod().terminated();
        for (PodView.Item item : view.claims()) {
            if (item.existing().state() == Lookup.State.UNKNOWN) {
                plan.waitFor("claims", "the claims of the cluster are not known completely");
            } else if (item.existing().found()) {
                existing(view.pod(), item, plan);
            } else if (!ending) {
                create(view.pod(), item.desired(), plan);
            }
        }
        return plan.plan();
    }

    /** Plans for a claim whose owner may be gone. The store must confirm this before the claim is removed. */
    public static Plan<ClusterStep> plan(OwnedClaimView view) {
        PlanBuilder plan = new PlanBuilder(view.claim().key(), LastEvents.nothing(), TOPIC);
        PersistentVolumeClaim claim = view.claim();
        if (!claim.metadata().deleting()) {
            ObjectKey pod =
                    ObjectKey.pod(claim.metadata().namespace(), view.owner().name());
            switch (view.pod().state()) {
                case MISSING ->
                    plan.step(new ClusterWork.Verify(pod, view.owner().uid()));
                case ABSENT -> leave(claim, view.owner(), plan);
                case FOUND, UNKNOWN, UNNAMED -> {
                    // The owner exists, or nothing is known.
                }
            }
        }
        return plan.plan();
    }

    /** As with Kubernetes' garbage collector, a claim with another owner only loses the reference to the pod. */
    private static void leave(PersistentVolumeClaim claim, OwnerReference pod, PlanBuilder plan) {
        List<OwnerReference> others = claim.metadata().ownerReferences().stream()
                .filter(owner -> !owner.uid().equals(pod.uid()))
                .toList();
        if (others.isEmpty()) {
            // The removal requires this revision, because a user may have changed or removed the owner to keep the
            // claim.
            plan.step(ClusterWork.Remove.asSeen(claim));
        } else {
            belong("leave " + claim.key() + " to its other owners", claim, others, plan);
        }
    }

    /** The pod that owns the claim, if a pod does. Another API may have a kind of the same name, whose objects are not pods. */
    public static Optional<OwnerReference> owningPod(PersistentVolumeClaim claim) {
        return claim.metadata().ownerReferences().stream()
                .filter(owner -> owner.controller()
                        && owner.kind().equals(Kind.POD.apiName())
                        && owner.apiVersion().equals(Kind.POD.apiVersion()))
                .findFirst();
    }

    private static void create(Pod pod, DesiredClaim desired, PlanBuilder plan) {
        if (desired.claim() == null) {
            plan.warning(pod, FAILED, desired.error()).waitFor("the pod", desired.error());
        } else {
            plan.step(new ClusterWork.Create(desired.claim()));
        }
    }

    private static void existing(Pod pod, PodView.Item item, PlanBuilder plan) {
        PersistentVolumeClaim claim = item.existing().get();
        if (!item.desired().ownedByPod()) {
            keep(pod, claim, plan);
            return;
        }
        boolean ours = owningPod(claim)
                .filter(owner -> owner.uid().equals(pod.metadata().uid()))
                .isPresent();
        if (!ours) {
            String why = "claim " + claim.metadata().name()
                    + " has the name that an ephemeral volume of the pod asks for, but was not made for this pod";
            plan.warning(pod, NOT_OURS, why).waitFor("that claim's end", why);
        }
    }

    /** A claim of a template follows its retention policy. Owners from other programs stay. */
    private static void keep(Pod pod, PersistentVolumeClaim claim, PlanBuilder plan) {
        List<OwnerReference> wanted = PodClaims.owners(pod);
        List<OwnerReference> has = claim.metadata().ownerReferences();
        List<OwnerReference> next = new ArrayList<>();
        for (OwnerReference owner : has) {
            if (!managed(pod, owner) || wanted.contains(owner)) {
                next.add(owner);
            }
        }
        for (OwnerReference owner : wanted) {
            if (!next.contains(owner)) {
                next.add(owner);
            }
        }
        if (!next.equals(has)) {
            belong("let " + claim.key() + " belong to whom its retention policy says", claim, next, plan);
        }
    }

    private static void belong(
            String text, PersistentVolumeClaim claim, List<OwnerReference> owners, PlanBuilder plan) {
        plan.writes(
                text,
                List.of(ObjectWrite.of(
                        claim,
                        List.of(FieldChange.set(PodClaims.trees(claim, owners), "metadata", "ownerReferences")))),
                ClusterWork.Kind.WRITE,
                false);
    }

    private static boolean managed(Pod pod, OwnerReference owner) {
        return owner.uid().equals(pod.metadata().uid())
                || pod.metadata().ownerReferences().stream()
                        .anyMatch(set -> set.controller() && set.uid().equals(owner.uid()));
    }
}
