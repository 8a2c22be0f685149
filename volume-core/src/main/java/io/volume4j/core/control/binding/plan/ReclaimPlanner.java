package io.volume4j.core.control.binding.plan;

import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.VolumesByClaim;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.model.WellKnown;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans for a volume whose claim is gone. The controller deletes or empties storage only if all of these hold:
 *
 * <ol>
 *   <li>the volume's policy says so,
 *   <li>the store itself confirmed that the claim with that UID is gone (or, for a volume provisioned for a claim that is bound to
 *       another volume, that this is so),
 *   <li>the volume has no attachment left, and for recycling no pod uses it,
 *   <li>no other volume has the same storage,
 *   <li>this same process has written an intent to the volume, at the revision from which it decided all this.
 * </ol>
 */
final class ReclaimPlanner {
    private ReclaimPlanner() {}

    static void plan(VolumeView view, PlanBuilder plan) {
        PersistentVolume volume = view.volume();
        if (view.memory().deleted()) {
            remove(volume, plan);
            return;
        }
        if (!view.memory().emptied() && needsProof(view)) {
            VolumesByClaim.claimOf(volume)
                    .ifPresent(claim -> plan.step(new ClusterWork.Verify(claim, ClaimReference.uid(volume))));
            plan.waitFor("the store", "is claim " + claimName(volume) + " really gone?");
            return;
        }
        if (volume.status().phase() != VolumePhase.RELEASED && volume.status().phase() != VolumePhase.FAILED) {
            plan.write(
                    "mark volume " + name(volume) + " as released", VolumeWrites.phase(volume, VolumePhase.RELEASED));
            return;
        }
        switch (volume.spec().reclaimPolicy()) {
            case RETAIN -> retain(volume, plan);
            case DELETE -> delete(view, plan);
            case RECYCLE -> recycle(view, plan);
            default -> unknown(volume, plan);
        }
    }

    /**
     * A user cleared the {@code claimRef} after a deletion began whose outcome is unknown. The controller does not continue against
     * the user's will, and does not offer the volume.
     */
    static void deprivedOfOwner(PersistentVolume volume, PlanBuilder plan) {
        doubtful(
                volume,
                EventReason.VOLUME_FAILED_DELETE,
                "the deletion of its storage was begun before its claimRef was cleared, and may have had its effect; if the"
                        + " storage is there, remove the annotation " + Annotation.RECLAIM_INTENT
                        + " to offer it to claims",
                plan);
    }

    private static void doubtful(PersistentVolume volume, String reason, String why, PlanBuilder plan) {
        fail(volume, reason, why, plan);
        plan.waitFor("the volume", why);
    }

    /**
     * Whether the controller must first ask the store. A released volume with policy Retain needs no read, so that many of them
     * cost nothing.
     */
    private static boolean needsProof(VolumeView view) {
        return switch (view.claim().state()) {
            case FOUND -> !view.claimConfirmed();
            case MISSING -> {
                VolumePhase phase = view.volume().status().phase();
                boolean settled = phase == VolumePhase.RELEASED || phase == VolumePhase.FAILED;
                yield switch (view.volume().spec().reclaimPolicy()) {
                    case DELETE, RECYCLE -> true;
                    case RETAIN, UNKNOWN -> !settled;
                };
            }
            case ABSENT, UNKNOWN, UNNAMED -> false;
        };
    }

    /** An open intent stays: another leader's call may have an effect now or later, and only a user can check. */
    private static void retain(PersistentVolume volume, PlanBuilder plan) {
        if (ReclaimIntent.open(volume)) {
            doubtful(
                    volume,
                    ReclaimIntent.deletes(volume)
                            ? EventReason.VOLUME_FAILED_DELETE
                            : EventReason.VOLUME_FAILED_RECYCLE,
                    "its storage was being deleted or emptied before its policy became Retain, which may have had its effect;"
                            + " if all is there, remove the annotation " + Annotation.RECLAIM_INTENT
                            + ", so that the volume can be released",
                    plan);
            return;
        }
        plan.report("mark volume " + name(volume) + " as released", VolumeWrites.phase(volume, VolumePhase.RELEASED));
    }

    private static void unknown(PersistentVolume volume, PlanBuilder plan) {
        doubtful(
                volume,
                EventReason.VOLUME_UNKNOWN_RECLAIM_POLICY,
                "the volume's reclaim policy is unknown here, so the volume is not changed",
                plan);
    }

    private static void delete(VolumeView view, PlanBuilder plan) {
        PersistentVolume volume = view.volume();
        ReclaimerInfo reclaimer = view.reclaimer();
        if (Annotation.migratedBesides(volume, reclaimer.plugin()) || !reclaimer.deletes()) {
            leaveToOthers(volume, whoElse(volume, reclaimer), plan);
            return;
        }
        if (inUse(view, EventReason.VOLUME_DELETE, plan)) {
            return;
        }
        tellFailure(view, EventReason.VOLUME_DELETE, EventReason.VOLUME_FAILED_DELETE, plan);
        intend(view, ReclaimIntent.Action.DELETE, BindingStep.Kind.DELETE, plan)
                .ifPresent(ready -> plan.step(
                        view.memory().looked()
                                ? new BindingStep.Delete(volume, reclaimer.plugin(), claimGone(view))
                                : new ClusterWork.Look(volume.key(), ClusterWork.Look.At.NODES)));
    }

    private static void recycle(VolumeView view, PlanBuilder plan) {
        PersistentVolume volume = view.volume();
        if (view.memory().emptied()) {
            List<ObjectWrite> writes = new ArrayList<>();
            VolumeWrites.unbind(volume).ifPresent(writes::add);
            VolumeWrites.phase(volume, VolumePhase.AVAILABLE).ifPresent(writes::add);
            plan.writes("free the recycled volume " + name(volume), writes, ClusterWork.Kind.WRITE, true);
            return;
        }
        if (!view.reclaimer().recycles()) {
            String why = "no plugin here can recycle the volume";
            fail(volume, EventReason.VOLUME_FAILED_RECYCLE, why, plan);
            plan.waitFor("plugins", why);
            return;
        }
        if (inUse(view, EventReason.VOLUME_FAILED_RECYCLE, plan) || usedByPods(view, plan)) {
            return;
        }
        tellFailure(view, EventReason.VOLUME_FAILED_RECYCLE, EventReason.VOLUME_FAILED_RECYCLE, plan);
        intend(view, ReclaimIntent.Action.RECYCLE, BindingStep.Kind.RECYCLE, plan)
                .ifPresent(ready -> plan.step(
                        new BindingStep.Recycle(volume, view.reclaimer().plugin(), claimGone(view))));
    }

    /** Attached to a node, or not known: the controller changes nothing. */
    private static boolean inUse(VolumeView view, String reason, PlanBuilder plan) {
        if (!view.usersComplete()) {
            plan.waitFor(
                    "its users", "the attachments, nodes, pods and volumes of the cluster are not known completely");
            return true;
        }
        if (!view.attachedTo().isEmpty()) {
            String why = "the volume is still attached to " + String.join(", ", view.attachedTo());
            plan.normal(view.volume(), reason, why).waitFor("its detachment", why);
            return true;
        }
        if (!view.sharedWith().isEmpty()) {
            String why =
                    "its storage is kept for volume " + String.join(", ", view.sharedWith()) + ", which names the same";
            plan.normal(view.volume(), reason, why).waitFor("the other volume", why);
            return true;
        }
        return false;
    }

    private static boolean usedByPods(VolumeView view, PlanBuilder plan) {
        if (view.usedBy().isEmpty() || view.claimNameReused()) {
            return false;
        }
        String why = "the volume is still used by pod " + String.join(", ", view.usedBy());
        plan.normal(view.volume(), EventReason.VOLUME_FAILED_RECYCLE, why).waitFor("the pods' end", why);
        return true;
    }

    /** The current intent; empty if it must be written first. */
    private static Optional<ReclaimIntent> intend(
            VolumeView view, ReclaimIntent.Action action, BindingStep.Kind towards, PlanBuilder plan) {
        PersistentVolume volume = view.volume();
        Optional<ReclaimIntent> intent = ReclaimIntent.of(volume);
        if (view.leftUntil().isPresent()) {
            plan.waitUntil(view.leftUntil().getAsLong(), "a newer leader is reclaiming the volume");
            return Optional.empty();
        }
        if (intent.filter(open -> open.isOf(view.self()))
                .filter(held -> held.action() == action)
                .isPresent()) {
            return intent;
        }
        ReclaimIntent wanted =
                new ReclaimIntent(action, view.self().epoch(), view.self().process());
        plan.prepare("intend to reclaim volume " + name(volume), VolumeWrites.intend(volume, wanted), towards.name());
        return Optional.empty();
    }

    /** A volume in use is not a failure: the controller sends an event, and the phase stays. */
    private static void tellFailure(VolumeView view, String inUseReason, String failedReason, PlanBuilder plan) {
        @Nullable VolumeException failure = view.memory().lastFailure();
        if (failure == null) {
            return;
        }
        String why = failure.getMessage();
        if (view.memory().inUse()) {
            plan.normal(view.volume(), inUseReason, why);
        } else {
            fail(view.volume(), failedReason, why, plan);
        }
    }

    private static void fail(PersistentVolume volume, String reason, String why, PlanBuilder plan) {
        plan.report(
                        "mark volume " + name(volume) + " as failed",
                        VolumeWrites.phase(volume, VolumePhase.FAILED, reason, why))
                .warning(volume, reason, why);
    }

    private static void remove(PersistentVolume volume, PlanBuilder plan) {
        if (!volume.metadata().deleting()) {
            plan.step(new ClusterWork.Remove(volume.key(), volume.metadata().uid()));
        } else if (volume.status().phase() == VolumePhase.BOUND) {
            // A deposed leader may have written Bound meanwhile, and a bound volume is protected.
            plan.write(
                    "mark volume " + name(volume) + " as released", VolumeWrites.phase(volume, VolumePhase.RELEASED));
        } else {
            // Removes both: the plugin may have moved to an external provisioner after it made the volume, or back.
            plan.write(
                    "let volume " + name(volume) + " go",
                    VolumeWrites.dropFinalizers(
                            volume, List.of(Annotation.RECLAIM_FINALIZER, Annotation.EXTERNAL_FINALIZER)));
        }
    }

    /** @param deleter {@code ""} if none is known */
    private static void leaveToOthers(PersistentVolume volume, String deleter, PlanBuilder plan) {
        if (deleter.isEmpty()) {
            String why =
                    "released, but no plugin of this process deletes its storage, and the volume names no other deleter;"
                            + " register its plugin, or set the reclaim policy to Retain";
            plan.warning(volume, EventReason.VOLUME_FAILED_DELETE, why).waitFor("plugins", why);
        } else {
            String why = "released; its storage is deleted by " + deleter + ", which must be running elsewhere";
            plan.normal(volume, EventReason.EXTERNAL_DELETING, why).waitFor(deleter, why);
        }
    }

    private static String whoElse(PersistentVolume volume, ReclaimerInfo reclaimer) {
        if (!reclaimer.outside().isEmpty()) {
            return reclaimer.outside();
        }
        return Annotation.migratedBesides(volume, "") ? volume.metadata().annotation(WellKnown.MIGRATED_TO) : "";
    }

    private static boolean claimGone(VolumeView view) {
        return !view.claim().found();
    }

    private static String claimName(PersistentVolume volume) {
        return VolumesByClaim.claimOf(volume).map(ObjectKey::toString).orElse("of no name");
    }

    private static String name(PersistentVolume volume) {
        return volume.metadata().name();
    }
}
