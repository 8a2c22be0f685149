package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.attach.plan.AttachKey;
import io.volume4j.core.control.attach.plan.AttachStep;
import io.volume4j.core.control.attach.plan.AttachView;
import io.volume4j.core.control.attach.plan.PairView;
import io.volume4j.core.control.attach.plan.RecordStep;
import io.volume4j.core.control.attach.plan.RecordStep.Kind;
import io.volume4j.core.control.attach.plan.RecordView;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.inmemory.chaos.Mutants.Mutant;
import io.volume4j.inmemory.sim.Internals;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.model.ObjectKey;
import io.volume4j.spi.plugin.Attacher;
import io.volume4j.spi.plugin.PluginState;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Deliberate bugs of a control plane that attaches and detaches. */
final class AttachMutants {
    private AttachMutants() {}

    static void addTo(List<Mutant> all) {
        all.add(pair("does not look who else has a volume for one node", AttachMutants::alone));
        all.add(pair("detaches what the node uses and its object still shows", AttachMutants::blind));
        all.add(pairAndRecord(
                "takes an unknown pod for none",
                view -> view.unknown().isEmpty() && view.doubt().isEmpty() ? view : blind(sure(view)),
                why -> why.startsWith("a pod there uses claim") || why.endsWith("are being listed")));
        all.add(pairAndRecord(
                "detaches from every node that does not answer",
                view -> view.nodeHealthy() ? view : blind(view),
                why -> why.contains("evidence")));
        all.add(pair("fills a node beyond its limit", AttachMutants::unlimited));
        for (AttachStep.Kinds kind : List.of(
                AttachStep.Kinds.CREATE_RECORD,
                AttachStep.Kinds.CLAIM,
                AttachStep.Kinds.CHECK_NODE,
                AttachStep.Kinds.DELETE_RECORD,
                AttachStep.Kinds.WRITE_GRANTS)) {
            all.add(new Mutant(
                    "the control plane never does " + kind,
                    builder -> Internals.attachSeams(
                            builder,
                            Seams.<AttachKey, AttachView, AttachStep>none()
                                    .withPlanner(planner ->
                                            view -> without(planner.plan(view), step -> step.kind() == kind)))));
        }
        for (Kind kind : List.of(Kind.CLAIM, Kind.ATTACH, Kind.RECORD_ATTACHED, Kind.DETACH, Kind.RELEASE)) {
            all.add(new Mutant(
                    "never does " + kind + " for a VolumeAttachment",
                    builder -> Internals.recordSeams(
                            builder,
                            Seams.<ObjectKey, RecordView, RecordStep>none()
                                    .withPlanner(planner ->
                                            view -> without(planner.plan(view), step -> step.kind() == kind)))));
        }
        all.add(new Mutant(
                "lets a VolumeAttachment go instead of detaching",
                builder -> Internals.recordSeams(
                        builder, Seams.<ObjectKey, RecordView, RecordStep>none().withPlanner(planner -> view -> {
                            Plan<RecordStep> plan = planner.plan(view);
                            return new Plan<>(
                                    plan.steps().stream()
                                            .map(AttachMutants::released)
                                            .toList(),
                                    plan.waits());
                        }))));
        all.add(outcome(
                "takes any failed detach of a VolumeAttachment for done",
                (step, outcome) ->
                        step.kind() == Kind.DETACH && !outcome.succeeded() ? Outcome.success(true) : outcome));
        all.add(outcome("records what drivers say with their secrets in it", (step, outcome) -> {
            VolumeException failure = outcome.failure();
            return step.kind() == Kind.ATTACH && failure != null
                    ? Outcome.failure(VolumeException.transientFailure(
                            failure.getMessage() + ", tried with " + MountFamily.SECRET_VALUE))
                    : outcome;
        }));
        all.add(outcome(
                "takes an uncertain attach of a VolumeAttachment for done",
                (step, outcome) -> step.kind() == Kind.ATTACH
                                && outcome.failure() != null
                                && outcome.failure().kind() == FailureKind.UNCERTAIN
                        ? Outcome.success(new Attacher.AttachResult("/dev/mutated", Map.of(), PluginState.none()))
                        : outcome));
    }

    private static <S extends io.volume4j.core.engine.Step> Plan<S> without(Plan<S> plan, Predicate<S> which) {
        return new Plan<>(
                plan.steps().stream().filter(step -> !which.test(step)).toList(), plan.waits());
    }

    private static RecordStep released(RecordStep step) {
        return step.kind() == Kind.DETACH
                ? new RecordStep(
                        Kind.RELEASE, step.record(), step.uid(), "", step.volume(), step.node(), step.oneNodeOnly(), "")
                : step;
    }

    private static Mutant pair(String name, UnaryOperator<PairView> change) {
        return new Mutant(name, builder -> Internals.attachSeams(builder, pairs(change)));
    }

    private static Seams<AttachKey, AttachView, AttachStep> pairs(UnaryOperator<PairView> change) {
        return Seams.<AttachKey, AttachView, AttachStep>none()
                .withPlanner(
                        planner -> view -> planner.plan(view instanceof PairView pair ? change.apply(pair) : view));
    }

    /**
     * Two planners decide about a pair: the second one again before its record is executed. With the bug in only one of them,
     * only a record is deleted too early.
     *
     * @param heedless selects the ignored reasons against a detach
     */
    private static Mutant pairAndRecord(String name, UnaryOperator<PairView> change, Predicate<String> heedless) {
        return new Mutant(
                name,
                builder -> Internals.recordSeams(
                        Internals.attachSeams(builder, pairs(change)),
                        Seams.<ObjectKey, RecordView, RecordStep>none()
                                .withPlanner(planner -> view ->
                                        planner.plan(heedless.test(view.mayDetach()) ? detachable(view) : view))));
    }

    private static RecordView detachable(RecordView view) {
        return new RecordView(
                view.subject(),
                view.record(),
                view.uid(),
                view.revision(),
                view.volume(),
                view.node(),
                view.oneNodeOnly(),
                view.ours(),
                view.held(),
                view.attached(),
                view.deleting(),
                view.lost(),
                view.answered(),
                view.reserved(),
                view.left(),
                view.detached(),
                view.mayAttach(),
                "",
                view.mayDetachAt(),
                view.error(),
                view.settledAt(),
                view.now());
    }

    private static Mutant outcome(String name, BiFunction<RecordStep, Outcome, Outcome> change) {
        return new Mutant(
                name,
                builder -> Internals.recordSeams(
                        builder,
                        Seams.<ObjectKey, RecordView, RecordStep>none()
                                .withWorld(world -> new Mutants.Rewritten<>(world, change))));
    }

    private static PairView alone(PairView view) {
        return rebuilt(view, view.unknown(), view.doubt(), view.shown(), view.use(), List.of(), view.limit());
    }

    /** Ignores the node's report: the volume counts as free. */
    private static PairView blind(PairView view) {
        return rebuilt(view, view.unknown(), view.doubt(), false, PairView.Use.FREE, view.holders(), view.limit());
    }

    private static PairView sure(PairView view) {
        return rebuilt(view, "", "", view.shown(), view.use(), view.holders(), view.limit());
    }

    private static PairView unlimited(PairView view) {
        return rebuilt(view, view.unknown(), view.doubt(), view.shown(), view.use(), view.holders(), "");
    }

    private static PairView rebuilt(
            PairView view,
            String unknown,
            String doubt,
            boolean shown,
            PairView.Use use,
            List<PairView.Holder> holders,
            String limit) {
        return new PairView(
                view.volume(),
                view.name(),
                view.node(),
                unknown,
                view.managed(),
                view.nodeThere(),
                view.nodeHealthy(),
                view.pods(),
                doubt,
                view.record(),
                shown,
                view.superseded(),
                view.granted(),
                view.held(),
                use,
                view.believedAt(),
                view.nodeChecked(),
                view.seenAbsent(),
                view.fence(),
                view.unwantedSince(),
                view.now(),
                view.riskAfterNanos(),
                view.oneNodeOnly(),
                holders,
                view.givesWay(),
                view.settledAt(),
                limit,
                view.told());
    }
}
