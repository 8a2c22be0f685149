package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Planner;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.ReclaimPolicy;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.util.Optional;

/**
 * Plans for an external provisioner, which communicates with the binding controller only through the cluster's objects. It binds no
 * claims. It writes a phase only to a volume that it fails to delete:
 *
 * <ul>
 *   <li>A claim without a volume gets one, as {@link ProvisionPlanner} describes. Its annotation, which the controller writes, must
 *       name this provisioner. Its class must be immediate, or it must have a node.
 *   <li>A claim with an open intent of this provisioner that does not want the volume any more is settled.
 *   <li>A volume that this provisioner made, with policy Delete, is deleted after the controller has released it, as
 *       {@link ReclaimPlanner} describes.
 * </ul>
 */
public final class ProvisionerPlanner implements Planner<BindingView, ClusterStep> {
    private final String provisioner;

    public ProvisionerPlanner(String provisioner) {
        this.provisioner = provisioner;
    }

    @Override
    public Plan<ClusterStep> plan(BindingView view) {
        if (view instanceof ClaimView claim) {
            PlanBuilder plan = new PlanBuilder(view.key(), claim.told());
            claim(claim, plan);
            return plan.plan();
        }
        VolumeView volume = (VolumeView) view;
        PlanBuilder plan = new PlanBuilder(view.key(), volume.told());
        volume(volume, plan);
        return plan.plan();
    }

    private void claim(ClaimView view, PlanBuilder plan) {
        ProvisionView provisioning = view.provisioning();
        boolean ours =
                provisioning.intent() != null && provisioning.intent().plugin().equals(provisioner);
        boolean foreign = provisioning.open() && !ours;
        if (foreign || (!ours && !asked(view.claim()))) {
            return;
        }
        Optional<String> unknown = view.unknownWord();
        if (unknown.isPresent() && wantsVolume(view.claim())) {
            plan.waitFor(
                    "a newer version of volume4j, or another word",
                    unknown.get() + " has a word that this version does not know");
        } else if (!view.choiceKnown()) {
            plan.waitFor("the cluster", "the volumes, classes or nodes of the cluster are not known completely");
        } else if (!wantsVolume(view.claim())) {
            ProvisionPlanner.settle(provisioning, plan);
        } else if (view.waitsForConsumer() && !ours) {
            plan.waitFor("the scheduler", "the claim waits for its first consumer to be given a node");
        } else if (ours || classIsOurs(provisioning)) {
            ProvisionPlanner.provide(provisioning, plan);
        } else {
            plan.waitFor(
                    "StorageClass " + OneLine.name(view.claim().className()),
                    "storage class " + OneLine.quoted(view.claim().className()) + " is missing, or none of "
                            + provisioner);
        }
    }

    private void volume(VolumeView view, PlanBuilder plan) {
        PersistentVolume volume = view.volume();
        if (!view.maker().equals(provisioner) || Annotation.migratedBesides(volume, provisioner)) {
            return;
        }
        VolumePlanner.finalizer(view, plan);
        VolumePhase phase = volume.status().phase();
        boolean released = phase == VolumePhase.RELEASED || phase == VolumePhase.FAILED;
        if (plan.hasSteps()
                || volume.spec().reclaimPolicy() != ReclaimPolicy.DELETE
                || ClaimReference.uid(volume).isEmpty()
                || !released) {
            return;
        }
        switch (view.claim().state()) {
            case FOUND -> {
                String named = view.claim().get().spec().volumeName();
                boolean elsewhere = named.isEmpty()
                        ? ReclaimIntent.deletes(volume)
                        : !named.equals(volume.metadata().name());
                if (elsewhere) {
                    ReclaimPlanner.plan(view, plan);
                } else {
                    plan.waitFor("the claim", "the volume is released, but its claim is still there");
                }
            }
            case ABSENT, MISSING -> ReclaimPlanner.plan(view, plan);
            default -> plan.waitFor("claims", "the claims of the cluster are not known completely");
        }
    }

    /** The GA annotation counts if it is set, otherwise the beta annotation. */
    private boolean asked(PersistentVolumeClaim claim) {
        String named = claim.metadata().annotation(WellKnown.STORAGE_PROVISIONER);
        return (named.isEmpty() ? claim.metadata().annotation(WellKnown.BETA_STORAGE_PROVISIONER) : named)
                .equals(provisioner);
    }

    private static boolean wantsVolume(PersistentVolumeClaim claim) {
        return claim.spec().volumeName().isEmpty()
                && !Annotation.bindCompleted(claim)
                && !claim.metadata().deleting();
    }

    private boolean classIsOurs(ProvisionView view) {
        return view.storageClass().found()
                && view.storageClass().get().provisioner().equals(provisioner)
                && view.provisioner().role() == ProvisionerInfo.Role.IN_PROCESS;
    }
}
