package io.volume4j.core.control.modify;

import static java.util.Objects.requireNonNull;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.control.host.facts.ClaimConditions;
import io.volume4j.core.control.host.facts.Lookup;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.OneLine;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttributesClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives the volume of a claim the attributes of the class that the claim requests (KEP-3751). The claim's status first gets the
 * name of the class. Then the backend is called. Then the volume's object, and last the claim, get the result.
 *
 * <p>A change must be completed before the next one begins. If the effect of a call is in doubt, or after a restart during a
 * change, the controller applies the <em>same</em> class again. It does so until the backend has applied or refused it, whatever
 * the claim then requests. A final failure is a refusal too: a claim that requests another class then gets that one. If the claim
 * requests nothing any more, it returns to its current class. If an earlier call may have had an effect, the controller applies the
 * current class again.
 */
public final class ModifyPlanner {
    /** The topic of its events. */
    public static final String TOPIC = "attributes";

    /** The interval of retries after a refusal, in case a user solved the problem. */
    static final Duration RARELY = Duration.ofMinutes(5);

    private static final ClaimConditions CONDITIONS =
            new ClaimConditions(List.of("ModifyingVolume", "ModifyVolumeError"));

    private ModifyPlanner() {}

    public static Plan<ClusterStep> plan(ModifyView view) {
        PlanBuilder plan = new PlanBuilder(view.claim().key(), view.told(), TOPIC);
        PersistentVolumeClaim claim = view.claim();
        if (claim.metadata().deleting() || view.volume().metadata().deleting()) {
            return plan.plan();
        }
        ModifyStatus status = ModifyStatus.of(claim);
        String wanted = claim.spec().volumeAttributesClassName();
        String current = claim.status().currentVolumeAttributesClassName();
        boolean open = status.state() == ModifyStatus.State.IN_PROGRESS;
        if (open && (wanted.equals(status.target()) || !view.memory().finallyFailed(status.target()))) {
            underWay(view, status.target(), wanted, plan);
        } else if (wanted.isEmpty() || wanted.equals(current)) {
            if (!wanted.isEmpty() && status.state() != ModifyStatus.State.NONE && inDoubt(view)) {
                begin(view, status, wanted, view.wantedClass(), plan);
            } else {
                rollBack(view, status, plan);
            }
        } else {
            begin(view, status, wanted, view.wantedClass(), plan);
        }
        return plan.plan();
    }

    /** The epoch of the leader that began to change the attributes of the claim's volume; 0 for none of this library. */
    public static long leaderOf(PersistentVolumeClaim claim) {
        return CONDITIONS.epoch(claim);
    }

    /** The target class of the change that has begun, {@code ""} for none. */
    public static String begunClass(PersistentVolumeClaim claim) {
        return ModifyStatus.of(claim).target();
    }

    private static boolean lately(ModifyView view, long since) {
        return view.now() - since - RARELY.toNanos() < 0;
    }

    /** Whether an earlier call may have given the volume attributes that its object does not show. */
    private static boolean inDoubt(ModifyView view) {
        return view.memory().doubt().open(CONDITIONS.doubt(view.claim()));
    }

    /** A change that was refused or not begun had no effect, so only the status is removed. */
    private static void rollBack(ModifyView view, ModifyStatus status, PlanBuilder plan) {
        if (status.state() != ModifyStatus.State.NONE) {
            plan.writes(
                    "give up other attributes for " + view.claim().key(),
                    List.of(ObjectWrite.ofStatus(view.claim(), over(view.claim()))),
                    ClusterWork.Kind.WRITE,
                    false);
        }
    }

    private static void underWay(ModifyView view, String target, String wanted, PlanBuilder plan) {
        if (view.leftUntil().isPresent() && view.modifies()) {
            plan.waitUntil(view.leftUntil().getAsLong(), "a newer leader is changing the volume's attributes");
        } else if (view.memory().modified().equals(target) && !target.isEmpty()) {
            finish(view, target, plan);
        } else if (view.memory().infeasible(target)
                && lately(view, view.memory().failedAt())) {
            tellFailure(view, target, plan);
            plan.writes(
                    "say that class " + target + " cannot be applied for "
                            + view.claim().key(),
                    List.of(status(view, target, ModifyStatus.State.INFEASIBLE, inDoubt(view))),
                    ClusterWork.Kind.WRITE,
                    false);
        } else {
            apply(view, target, view.begunClass(), wanted, plan);
        }
    }

    private static void begin(
            ModifyView view, ModifyStatus status, String wanted, Lookup<VolumeAttributesClass> type, PlanBuilder plan) {
        boolean refused = status.state() == ModifyStatus.State.INFEASIBLE
                && status.target().equals(wanted);
        if (refused && view.memory().infeasible(wanted)) {
            tellFailure(view, wanted, plan);
            long since = view.memory().failedAt();
            if (lately(view, since)) {
                plan.waitUntil(since + RARELY.toNanos(), "the class was refused; it is tried again after 5 minutes");
                return;
            }
        }
        if (usable(view, wanted, type, plan)) {
            plan.writes(
                    "intend to apply class " + wanted + " for " + view.claim().key(),
                    List.of(status(view, wanted, ModifyStatus.State.IN_PROGRESS, inDoubt(view))),
                    ClusterWork.Kind.WRITE,
                    false);
        } else if (type.notThere()
                && !(status.state() == ModifyStatus.State.PENDING
                        && status.target().equals(wanted))) {
            plan.writes(
                    "say that class " + wanted + " is missing for "
                            + view.claim().key(),
                    List.of(status(view, wanted, ModifyStatus.State.PENDING, inDoubt(view))),
                    ClusterWork.Kind.WRITE,
                    false);
        }
    }

    private static void apply(
            ModifyView view, String target, Lookup<VolumeAttributesClass> type, String wanted, PlanBuilder plan) {
        if (!usable(view, target, type, plan)) {
            return;
        }
        tellFailure(view, target, plan);
        if (CONDITIONS.epoch(view.claim()) != view.epoch()) {
            plan.writes(
                    "take over the change of attributes for " + view.claim().key(),
                    List.of(status(view, target, ModifyStatus.State.IN_PROGRESS, true)),
                    ClusterWork.Kind.WRITE,
                    false);
            return;
        }
        if (!target.equals(wanted)) {
            plan.waitFor(
                    "the change under way", "class " + target + " was begun with and is finished before another one");
        }
        plan.step(new ModifyStep(
                view.claim().key(),
                view.claim().metadata().uid(),
                view.volume(),
                view.plugin(),
                type.get(),
                view.epoch()));
    }

    private static boolean usable(ModifyView view, String name, Lookup<VolumeAttributesClass> type, PlanBuilder plan) {
        String why;
        if (type.state() == Lookup.State.UNKNOWN) {
            plan.waitFor("classes", "the volume attributes classes of the cluster are not known completely");
            return false;
        } else if (!type.found()) {
            why = "volume attributes class " + OneLine.quoted(name) + " does not exist";
        } else if (!view.modifies()) {
            why = "no plugin here changes the attributes of volume "
                    + view.volume().metadata().name() + "; waiting for an external resizer";
        } else if (!type.get().driverName().equals(view.plugin())) {
            why = "volume attributes class " + OneLine.quoted(name) + " is one of driver "
                    + type.get().driverName() + ", the volume is one of "
                    + view.plugin();
        } else {
            return true;
        }
        plan.warning(view.claim(), ModifyReason.VOLUME_MODIFY_WAITS, why)
                .waitFor("VolumeAttributesClass " + OneLine.name(name), why);
        return false;
    }

    /** The volume before its claim: the claim's status shows that all is complete. */
    private static void finish(ModifyView view, String target, PlanBuilder plan) {
        PersistentVolume volume = view.volume();
        List<ObjectWrite> writes = new ArrayList<>(2);
        if (!volume.spec().volumeAttributesClassName().equals(target)) {
            writes.add(ObjectWrite.of(volume, List.of(FieldChange.set(target, "spec", "volumeAttributesClassName"))));
        }
        List<FieldChange> changes = over(view.claim());
        changes.add(FieldChange.set(target, "status", "currentVolumeAttributesClassName"));
        writes.add(ObjectWrite.ofStatus(view.claim(), changes));
        plan.writes(
                "store that volume " + volume.metadata().name() + " has class " + target,
                writes,
                ClusterWork.Kind.WRITE,
                false);
    }

    /** Removes the fields of a running change. */
    private static List<FieldChange> over(PersistentVolumeClaim claim) {
        List<FieldChange> changes = new ArrayList<>();
        changes.add(FieldChange.remove("status", "modifyVolumeStatus"));
        CONDITIONS.none(claim).ifPresent(changes::add);
        return changes;
    }

    private static ObjectWrite status(ModifyView view, String target, ModifyStatus.State state, boolean doubt) {
        PersistentVolumeClaim claim = view.claim();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("targetVolumeAttributesClassName", target);
        status.put("status", state.word());
        List<FieldChange> changes = new ArrayList<>();
        changes.add(FieldChange.set(status, "status", "modifyVolumeStatus"));
        Optional<FieldChange> condition = switch (state) {
            case IN_PROGRESS ->
                CONDITIONS.only(
                        claim,
                        "ModifyingVolume",
                        ClaimConditions.reason(view.epoch()),
                        ClaimConditions.message("", doubt));
            case INFEASIBLE ->
                CONDITIONS.only(
                        claim,
                        "ModifyVolumeError",
                        "",
                        ClaimConditions.message(
                                requireNonNull(view.memory().failureOf(target)).getMessage(), doubt));
            // Without the doubt, the next process would not apply the current class again.
            case PENDING, NONE ->
                doubt
                        ? CONDITIONS.only(claim, "ModifyVolumeError", "", ClaimConditions.message("", true))
                        : CONDITIONS.none(claim);
        };
        condition.ifPresent(changes::add);
        return ObjectWrite.ofStatus(claim, changes);
    }

    private static void tellFailure(ModifyView view, String target, PlanBuilder plan) {
        @Nullable VolumeException failure = view.memory().failureOf(target);
        if (failure != null) {
            plan.warning(
                    view.claim(),
                    ModifyReason.VOLUME_MODIFY_FAILED,
                    "failed to apply volume attributes class \"" + target + "\": " + failure.getMessage());
        }
    }
}
