package io.volume4j.core.control.expand;

import static java.util.Objects.requireNonNull;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.ClaimConditions;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.ResizeStatus;
import io.volume4j.spi.model.WellKnown;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Expands the volume of a claim, so that no failure blocks it forever (KEP-1790):
 *
 * <ol>
 *   <li>the claim's status gets the target size, the state "control plane in progress" and the leader's epoch: this is the durable
 *       intent;
 *   <li>the backend gets a call with that size;
 *   <li>the volume's object gets the size from the backend's answer, and keeps the claim's previous size;
 *   <li>the claim's status gets the state "nodes pending", after which the nodes expand and report; or the end of the expansion.
 * </ol>
 *
 * <p>A refusal shows only the effect of its own call. If an earlier call may have had an effect, a claim that no longer requests
 * more does not end the expansion. The controller calls the backend with the volume's current size, and the answer has the true
 * size.
 *
 * <p>The controller repeats a call for a size until its outcome is certain, even if the claim then requests less.
 * {@link ExpandTarget} determines the next size. The table with every row is in {@code docs/expansion.md}.
 */
public final class ExpandPlanner {
    /** The topic of its events. */
    public static final String TOPIC = "size";

    /** The interval of retries after a permanent failure, in case a user solved the problem. */
    static final Duration RARELY = Duration.ofMinutes(5);

    static final ClaimConditions CONDITIONS = new ClaimConditions(
            List.of("Resizing", "FileSystemResizePending", "ControllerResizeError", "NodeResizeError"));

    private ExpandPlanner() {}

    public static Plan<ClusterStep> plan(ExpandView view) {
        PlanBuilder plan = new PlanBuilder(view.claim().key(), view.told(), TOPIC);
        PersistentVolumeClaim claim = view.claim();
        @Nullable Quantity wanted = claim.spec().request();
        @Nullable Quantity has = claim.status().capacity();
        @Nullable Quantity size = view.volume().spec().capacity();
        ResizeStatus status = ResizeStatus.of(claim);
        if (wanted == null || has == null || size == null || claim.metadata().deleting()) {
            return plan.plan();
        }
        if (view.volume().metadata().deleting()) {
            return plan.plan();
        }
        if (wanted.compareTo(has) <= 0 && (status == ResizeStatus.NONE || gaveUp(view, status, size, has))) {
            // Whichever side finished: the fields that were kept during the expansion are no longer necessary.
            if (size.compareTo(has) <= 0) {
                plan.writes(
                        "close the expansion of " + claim.key(),
                        ExpandWrites.closed(claim, view.volume()),
                        ClusterWork.Kind.WRITE,
                        false);
            }
            return plan.plan();
        }
        grow(view, status, wanted, size, has, plan);
        return plan.plan();
    }

    /** Whether the claim requests no more than it has, after a permanent refusal, and the volume certainly has not grown. */
    private static boolean gaveUp(ExpandView view, ResizeStatus status, Quantity size, Quantity has) {
        return refused(view, status) && size.compareTo(has) <= 0 && !inDoubt(view);
    }

    /** Whether an earlier call may have made the volume larger than its object shows. */
    private static boolean inDoubt(ExpandView view) {
        return view.memory().doubt().open(CONDITIONS.doubt(view.claim()));
    }

    private static boolean refused(ExpandView view, ResizeStatus status) {
        @Nullable Quantity allocated = ExpandWrites.allocated(view.claim());
        return status == ResizeStatus.CONTROLLER_INFEASIBLE
                || (status == ResizeStatus.CONTROLLER_IN_PROGRESS
                        && CONDITIONS.epoch(view.claim()) == view.epoch()
                        && allocated != null
                        && view.memory().finallyFailed(allocated.bytes()));
    }

    private static void grow(
            ExpandView view, ResizeStatus status, Quantity wanted, Quantity size, Quantity has, PlanBuilder plan) {
        PersistentVolumeClaim claim = view.claim();
        if (status == ResizeStatus.OTHER) {
            plan.waitFor(
                    "the controller that wrote it",
                    "the claim's allocatedResourceStatuses hold a word that is not known here");
        } else if (status == ResizeStatus.CONTROLLER_IN_PROGRESS
                && view.leftUntil().isPresent()) {
            plan.waitUntil(view.leftUntil().getAsLong(), "a newer leader is expanding the volume");
        } else if (!view.expander().expands()) {
            String why = view.expander().plugin().isEmpty()
                    ? "waiting for an external resizer to expand volume " + name(view.volume())
                    : "plugin " + view.expander().plugin()
                            + " does not expand volumes; waiting for an external resizer";
            plan.normal(claim, ExpandReason.EXTERNAL_EXPANDING, why).waitFor("a resizer", why);
        } else if (status == ResizeStatus.NONE && !view.classAllows()) {
            String why = "storage class \"" + claim.className() + "\" does not allow its volumes to be expanded";
            plan.warning(claim, ExpandReason.VOLUME_RESIZE_FAILED, why).waitFor("the class or the claim", why);
        } else {
            @Nullable Quantity allocated = ExpandWrites.allocated(claim);
            boolean failedForGood = allocated != null && view.memory().finallyFailed(allocated.bytes());
            // The claim requests no more: a call with the volume's current size returns the true size.
            boolean onlyAsks = wanted.compareTo(has) <= 0 && size.compareTo(has) <= 0 && refused(view, status);
            Optional<Quantity> target = onlyAsks
                    ? Optional.of(size)
                    : ExpandTarget.of(
                            wanted,
                            size,
                            allocated,
                            status,
                            failedForGood,
                            view.expander().controlPlane());
            if (target.isEmpty()) {
                String why = "waiting for the node that uses the volume to expand its filesystem";
                plan.normal(claim, ExpandReason.FILE_SYSTEM_RESIZE_REQUIRED, why)
                        .waitFor("the node", why);
            } else {
                towards(view, status, target.get(), allocated, wanted, has, plan);
            }
        }
    }

    private static void towards(
            ExpandView view,
            ResizeStatus status,
            Quantity target,
            @Nullable Quantity allocated,
            Quantity wanted,
            Quantity has,
            PlanBuilder plan) {
        boolean sameAsBegun = target.equals(allocated);
        @Nullable NodeRefusal refusal = view.nodeRefusal();
        if (refusal != null && refusal.wantedBytes() == wanted.bytes() && rests(view, refusal.at(), plan)) {
            return;
        }
        if (!view.expander().controlPlane()) {
            plan.writes(
                    "have the nodes expand the volume of " + view.claim().key(),
                    ExpandWrites.nodesTurn(view.claim(), view.volume(), target, has),
                    ClusterWork.Kind.WRITE,
                    false);
        } else if (status != ResizeStatus.CONTROLLER_IN_PROGRESS || !sameAsBegun) {
            begin(view, target, plan);
        } else if (CONDITIONS.epoch(view.claim()) != view.epoch()) {
            plan.report(
                    "take over the expansion of the volume of " + view.claim().key(),
                    ExpandWrites.begun(view.claim(), target, view.epoch(), true));
        } else if (view.memory().grownTo() >= target.bytes()) {
            grown(view, has, plan);
        } else if (view.memory().infeasible(target.bytes())
                && lately(view, view.memory().failedAt())) {
            tellFailure(view, plan);
            plan.report(
                    "say that " + view.claim().key() + " cannot be expanded",
                    ExpandWrites.infeasible(
                            view.claim(),
                            requireNonNull(view.memory().failure()).getMessage(),
                            inDoubt(view)));
        } else {
            call(view, target, plan);
        }
    }

    private static void begin(ExpandView view, Quantity target, PlanBuilder plan) {
        boolean again = view.memory().infeasible(target.bytes());
        if (again) {
            tellFailure(view, plan);
        }
        if (again && rests(view, view.memory().failedAt(), plan)) {
            return;
        }
        if (mayExpandNow(view, plan)) {
            plan.report(
                    "intend to expand the volume of " + view.claim().key() + " to " + target,
                    ExpandWrites.begun(view.claim(), target, view.epoch(), inDoubt(view)));
        }
    }

    private static void call(ExpandView view, Quantity target, PlanBuilder plan) {
        if (!mayExpandNow(view, plan)) {
            return;
        }
        tellFailure(view, plan);
        Quantity size = requireNonNull(view.volume().spec().capacity(), "nothing is begun without it");
        plan.step(new ExpandStep(
                view.claim().key(),
                view.claim().metadata().uid(),
                view.volume(),
                view.expander().plugin(),
                target.bytes(),
                size.bytes(),
                view.epoch()));
    }

    /**
     * A volume that can only be expanded while no pod uses it waits for its pods. So does a volume whose last call failed as "in
     * use".
     */
    private static boolean mayExpandNow(ExpandView view, PlanBuilder plan) {
        if (view.expander().online() && !view.memory().inUse()) {
            return true;
        }
        if (!view.usersKnown()) {
            plan.waitFor("pods", "the pods of the cluster are not known completely");
            return false;
        }
        if (view.usedBy().isEmpty()) {
            return true;
        }
        String why = "volume " + name(view.volume()) + " can be expanded only while no pod uses it, and pod "
                + String.join(", ", view.usedBy()) + " does";
        plan.warning(view.claim(), ExpandReason.VOLUME_RESIZE_FAILED, why).waitFor("the pods' end", why);
        return false;
    }

    private static void grown(ExpandView view, Quantity has, PlanBuilder plan) {
        Quantity size = Quantity.ofBytes(view.memory().grownTo());
        boolean nodes = view.memory().nodeNeeded() && view.expander().node();
        plan.writes(
                "store the new size of volume " + name(view.volume()),
                nodes
                        ? ExpandWrites.nodesTurn(view.claim(), view.volume(), size, has)
                        : ExpandWrites.finished(view.claim(), view.volume(), size),
                ClusterWork.Kind.WRITE,
                false);
    }

    private static boolean lately(ExpandView view, long since) {
        return view.now() - since - RARELY.toNanos() < 0;
    }

    private static boolean rests(ExpandView view, long since, PlanBuilder plan) {
        if (!lately(view, since)) {
            return false;
        }
        plan.waitUntil(
                since + RARELY.toNanos(),
                "it was refused as it stands; it is tried again after 5 minutes, or when the request changes");
        return true;
    }

    private static void tellFailure(ExpandView view, PlanBuilder plan) {
        @Nullable VolumeException failure = view.memory().failure();
        if (failure != null) {
            plan.warning(
                    view.claim(),
                    ExpandReason.VOLUME_RESIZE_FAILED,
                    "failed to expand volume " + name(view.volume()) + ": " + failure.getMessage());
        }
    }

    private static String name(PersistentVolume volume) {
        return volume.metadata().name();
    }

    /** The epoch of the leader that began to expand the claim's volume, or reported on it last; 0 for none of this library. */
    public static long leaderOf(PersistentVolumeClaim claim) {
        return CONDITIONS.epoch(claim);
    }

    /** Whether the volume still has the claim's size from before an expansion. */
    public static boolean leftOver(PersistentVolume volume) {
        return volume.metadata().annotations().containsKey(WellKnown.PRE_RESIZE_CAPACITY);
    }
}
