package io.volume4j.core.control.expand;

import static java.util.Objects.requireNonNull;

import io.volume4j.core.control.binding.BindingStep;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.Lookup;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.host.PlanBuilder;
import io.volume4j.core.engine.Plan;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.PersistentVolumeClaim;
import io.volume4j.spi.model.VolumeAttributesClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives the volume of a claim the attributes of the class that the claim asks for (KEP-3751): the claim's status names the
 * class first, then the backend is called, then the volume's object and at last the claim say that they have it.
 *
 * <p>What was begun is finished before anything else is begun: after a call whose effect is in doubt, and after every restart
 * of a change that was under way, the <em>same</em> class is applied until the backend took it over or refused it, whatever
 * the claim asks for by then. A final failure is a refusal too, and a claim that asks for another class gets that. A claim that asks
 * for nothing any more goes back to the class that it has; where an earlier call may have had an effect, that class is
 * applied anew.
 */
public final class ModifyPlanner {
    /** Topic of what people are told. */
    public static final String TOPIC = "attributes";

    private ModifyPlanner() {}

    public static Plan<ClusterStep> plan(ExpandView view) {
        PlanBuilder plan = new PlanBuilder(view.claim().key(), view.toldOfAttributes(), TOPIC);
        PersistentVolumeClaim claim = view.claim();
        if (claim.metadata().deleting() || view.volume().metadata().deleting()) {
            return plan.plan();
        }
        ModifyStatus status = ModifyStatus.of(claim);
        String wanted = claim.spec().volumeAttributesClassName();
        String current = claim.status().currentVolumeAttributesClassName();
        boolean open = status.state() == ModifyStatus.State.IN_PROGRESS;
        if (open && (wanted.equals(status.target()) || !view.memory().modifyFinallyFailed(status.target()))) {
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

    /** The epoch of the leader that began to change the attributes of the claim's volume; 0 if none of this library did. */
    public static long leaderOf(PersistentVolumeClaim claim) {
        return Conditions.OF_ATTRIBUTES.epoch(claim);
    }

    /** The class that the claim's volume was begun to be given, {@code ""} for none. */
    public static String begunClass(PersistentVolumeClaim claim) {
        return ModifyStatus.of(claim).target();
    }

    /** Whether an earlier call may have given the volume attributes that its object does not tell of. */
    private static boolean inDoubt(ExpandView view) {
        return view.memory().modifyDoubt().open(Conditions.OF_ATTRIBUTES.doubt(view.claim()));
    }

    /** What was refused or not begun has had no effect, so that only the status goes. */
    private static void rollBack(ExpandView view, ModifyStatus status, PlanBuilder plan) {
        if (status.state() != ModifyStatus.State.NONE) {
            plan.writes(
                    "give up other attributes for " + view.claim().key(),
                    List.of(ObjectWrite.ofStatus(view.claim(), over(view.claim()))),
                    ClusterWork.Kind.WRITE,
                    false);
        }
    }

    private static void underWay(ExpandView view, String target, String wanted, PlanBuilder plan) {
        if (view.attributesLeftUntil().isPresent() && view.expander().modifies()) {
            plan.waitUntil(
                    view.attributesLeftUntil().getAsLong(), "a newer leader is changing the volume's attributes");
        } else if (view.memory().modified().equals(target) && !target.isEmpty()) {
            finish(view, target, plan);
        } else if (view.memory().modifyInfeasible(target)
                && ExpandPlanner.lately(view, view.memory().modifyFailedAt())) {
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
            ExpandView view, ModifyStatus status, String wanted, Lookup<VolumeAttributesClass> type, PlanBuilder plan) {
        boolean refused = status.state() == ModifyStatus.State.INFEASIBLE
                && status.target().equals(wanted);
        if (refused && view.memory().modifyInfeasible(wanted)) {
            tellFailure(view, wanted, plan);
            long since = view.memory().modifyFailedAt();
            if (ExpandPlanner.lately(view, since)) {
                plan.waitUntil(
                        since + ExpandPlanner.RARELY.toNanos(),
                        "the class was refused; it is tried again now and then");
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
                    List.of(status(view, wanted, ModifyStatus.State.PENDING, false)),
                    ClusterWork.Kind.WRITE,
                    false);
        }
    }

    private static void apply(
            ExpandView view, String target, Lookup<VolumeAttributesClass> type, String wanted, PlanBuilder plan) {
        if (!usable(view, target, type, plan)) {
            return;
        }
        tellFailure(view, target, plan);
        if (Conditions.OF_ATTRIBUTES.epoch(view.claim()) != view.epoch()) {
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
        plan.step(new BindingStep.Modify(
                view.claim().key(),
                view.claim().metadata().uid(),
                view.volume(),
                view.expander().plugin(),
                type.get(),
                view.epoch()));
    }

    private static boolean usable(ExpandView view, String name, Lookup<VolumeAttributesClass> type, PlanBuilder plan) {
        String why;
        if (type.state() == Lookup.State.UNKNOWN) {
            plan.waitFor("classes", "the volume attributes classes of the cluster are not known completely");
            return false;
        } else if (!type.found()) {
            why = "volume attributes class \"" + name + "\" does not exist";
        } else if (!view.expander().modifies()) {
            why = "no plugin here changes the attributes of volume "
                    + view.volume().metadata().name() + "; waiting for an external resizer";
        } else if (!type.get().driverName().equals(view.expander().plugin())) {
            why = "volume attributes class \"" + name + "\" is one of driver "
                    + type.get().driverName() + ", the volume is one of "
                    + view.expander().plugin();
        } else {
            return true;
        }
        plan.warning(view.claim(), ExpandReason.VOLUME_MODIFY_WAITS, why).waitFor("VolumeAttributesClass " + name, why);
        return false;
    }

    /** The volume before its claim: the claim's word is that all is done. */
    private static void finish(ExpandView view, String target, PlanBuilder plan) {
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

    /** Nothing is under way any more. */
    private static List<FieldChange> over(PersistentVolumeClaim claim) {
        List<FieldChange> changes = new ArrayList<>();
        changes.add(FieldChange.remove("status", "modifyVolumeStatus"));
        Conditions.OF_ATTRIBUTES.none(claim).ifPresent(changes::add);
        return changes;
    }

    private static ObjectWrite status(ExpandView view, String target, ModifyStatus.State state, boolean doubt) {
        PersistentVolumeClaim claim = view.claim();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("targetVolumeAttributesClassName", target);
        status.put("status", state.word());
        List<FieldChange> changes = new ArrayList<>();
        changes.add(FieldChange.set(status, "status", "modifyVolumeStatus"));
        Optional<FieldChange> condition = switch (state) {
            case IN_PROGRESS ->
                Conditions.OF_ATTRIBUTES.only(
                        claim, "ModifyingVolume", Conditions.reason(view.epoch()), Conditions.message("", doubt));
            case INFEASIBLE ->
                Conditions.OF_ATTRIBUTES.only(
                        claim,
                        "ModifyVolumeError",
                        "",
                        Conditions.message(
                                ExpandPlanner.why(requireNonNull(view.memory().modifyFailureOf(target))), doubt));
            case PENDING, NONE -> Conditions.OF_ATTRIBUTES.none(claim);
        };
        condition.ifPresent(changes::add);
        return ObjectWrite.ofStatus(claim, changes);
    }

    private static void tellFailure(ExpandView view, String target, PlanBuilder plan) {
        @Nullable VolumeException failure = view.memory().modifyFailureOf(target);
        if (failure != null) {
            plan.warning(
                    view.claim(),
                    ExpandReason.VOLUME_MODIFY_FAILED,
                    "failed to apply volume attributes class \"" + target + "\": " + ExpandPlanner.why(failure));
        }
    }
}
