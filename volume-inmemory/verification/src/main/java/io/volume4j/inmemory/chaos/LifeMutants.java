package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.binding.plan.BindingStep;
import io.volume4j.core.control.binding.plan.BindingStep.Kind;
import io.volume4j.core.control.expand.ExpandStep;
import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ClusterWork;
import io.volume4j.core.control.host.ObjectView;
import io.volume4j.core.control.host.ObjectWrite;
import io.volume4j.core.control.modify.ModifyStep;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.inmemory.chaos.Mutants.Mutant;
import io.volume4j.inmemory.sim.Internals;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.Patch.FieldChange;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.model.PersistentVolume;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumePhase;
import io.volume4j.spi.plugin.Expander.ExpandResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Deliberate bugs of the work on claims other than binding, which random lives must detect. */
public final class LifeMutants {
    private static final long GIBIBYTE = 1L << 30;
    private static final List<String> FINALIZERS = List.of("metadata", "finalizers");
    private static final List<String> SIZE = List.of("spec", "capacity", "storage");

    private LifeMutants() {}

    /** All of them, in a fixed order. */
    public static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        for (Enum<?> kind : List.<Enum<?>>of(
                ClusterWork.Kind.LOOK, ClusterWork.Kind.CREATE, ExpandStep.Kind.EXPAND, ModifyStep.Kind.MODIFY)) {
            all.add(steps("never does " + kind, step -> step.kind() == kind ? List.of() : List.of(step)));
        }
        all.add(steps(
                "expands to more than the claim says",
                step -> List.of(step instanceof ExpandStep expand ? larger(expand) : step)));
        all.add(steps(
                "protects nothing",
                step -> changes(
                                step,
                                FINALIZERS,
                                change -> String.valueOf(change.value()).contains("-protection"))
                        ? List.of()
                        : List.of(step)));
        all.add(steps(
                "lets a volume say that it is smaller",
                step -> List.of(
                        step instanceof ClusterWork.Write write && changes(step, SIZE, change -> true)
                                ? smaller(write)
                                : step)));
        all.add(outcomes(
                "takes a failed expansion for done",
                (step, outcome) -> step instanceof ExpandStep expand && !outcome.succeeded()
                        ? Outcome.success(new ExpandResult(expand.newBytes(), false))
                        : outcome));
        all.add(outcomes(
                "takes a failed change of attributes for done",
                (step, outcome) -> step.kind() == ModifyStep.Kind.MODIFY ? Outcome.success(true) : outcome));
        all.add(outcomes(
                "takes making a volume for undone when its answer is lost",
                (step, outcome) -> step.kind() == Kind.PROVISION && !outcome.succeeded()
                        ? Outcome.failure(
                                VolumeException.finalFailure("mutated").provingAbsence())
                        : outcome));
        all.add(steps(
                DirectedLives.LET_GO,
                step -> List.of(
                        step instanceof BindingStep.Delete delete && failed(delete.volume())
                                ? letGo(delete.volume())
                                : step)));
        all.add(steps(
                DirectedLives.NOT_RESUMED,
                step -> step instanceof ClusterWork.Write write
                                && write.purpose().startsWith("take over the expansion")
                        ? List.of()
                        : List.of(step)));
        all.addAll(GroupMutants.all());
        return all;
    }

    /**
     * The first seed whose life breaks a rule with the bug, among those in which most calls fail. For bugs that random lives
     * hardly ever find, it first runs {@link DirectedLives}.
     *
     * @return -1 if none of this many does
     */
    public static long search(Mutant mutant, long schedules) {
        LifeSchedules changed = LifeSchedules.changed(mutant.change());
        for (List<Act> acts : DirectedLives.of(mutant.name())) {
            for (long seed = 0; seed < DirectedLives.ORDERS; seed++) {
                if (!changed.run(seed, acts).passed()) {
                    return seed;
                }
            }
        }
        for (long seed = LifeSchedules.STORMY - 1; seed < schedules; seed += LifeSchedules.STORMY) {
            if (!changed.run(seed).passed()) {
                return seed;
            }
        }
        return -1;
    }

    private static boolean failed(PersistentVolume volume) {
        return volume.metadata().deleting()
                && volume.status().phase() == VolumePhase.FAILED
                && !volume.metadata().finalizers().isEmpty();
    }

    private static ClusterStep letGo(PersistentVolume volume) {
        ObjectWrite write = ObjectWrite.of(volume, List.of(FieldChange.set(List.of(), "metadata", "finalizers")));
        return new ClusterWork.Write("let the volume go", List.of(write), "", Kind.DELETE.name(), false);
    }

    private static boolean changes(ClusterStep step, List<String> path, Function<FieldChange, Boolean> which) {
        return step instanceof ClusterWork.Write write
                && write.writes().stream()
                        .flatMap(each -> each.changes().stream())
                        .anyMatch(change -> change.path().equals(path) && which.apply(change));
    }

    private static ClusterStep larger(ExpandStep step) {
        return new ExpandStep(
                step.claim(),
                step.claimUid(),
                step.volume(),
                step.plugin(),
                step.newBytes() + GIBIBYTE,
                step.oldBytes(),
                step.epoch());
    }

    private static ClusterStep smaller(ClusterWork.Write step) {
        List<ObjectWrite> writes = step.writes().stream()
                .map(write -> new ObjectWrite(
                        write.key(),
                        write.uid(),
                        write.revision(),
                        write.status(),
                        write.changes().stream()
                                .map(change -> change.path().equals(SIZE)
                                        ? new FieldChange(
                                                SIZE,
                                                Quantity.ofBytes(GIBIBYTE / 2).toString())
                                        : change)
                                .toList()))
                .toList();
        return new ClusterWork.Write(step.purpose(), writes, step.reserves(), step.retryKey(), step.gain());
    }

    static Mutant steps(String name, Function<ClusterStep, List<ClusterStep>> change) {
        return new Mutant(
                name,
                builder -> Internals.objectSeams(
                        builder,
                        Seams.<ObjectKey, ObjectView, ClusterStep>none().withPlanner(planner -> view -> {
                            Plan<ClusterStep> plan = planner.plan(view);
                            List<ClusterStep> changed = new ArrayList<>();
                            plan.steps().forEach(step -> changed.addAll(change.apply(step)));
                            return new Plan<>(changed, plan.waits());
                        })));
    }

    static Mutant outcomes(String name, BiFunction<ClusterStep, Outcome, Outcome> change) {
        return new Mutant(
                name,
                builder -> Internals.objectSeams(
                        builder,
                        Seams.<ObjectKey, ObjectView, ClusterStep>none()
                                .withWorld(world -> new Mutants.Rewritten<>(world, change))));
    }
}
