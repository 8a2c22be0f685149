package io.volume4j.inmemory.chaos;

import io.volume4j.core.control.host.ClusterStep;
import io.volume4j.core.control.host.ObjectView;
import io.volume4j.core.engine.Call;
import io.volume4j.core.engine.IntentLog;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.engine.Outcome;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Seams;
import io.volume4j.core.engine.Step;
import io.volume4j.core.engine.World;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.node.AttachState;
import io.volume4j.core.node.MountState;
import io.volume4j.core.node.NodeStep;
import io.volume4j.core.node.NodeStep.Kind;
import io.volume4j.core.node.VolumeView;
import io.volume4j.core.node.VolumeView.PodUse;
import io.volume4j.core.node.VolumeView.Wish;
import io.volume4j.inmemory.sim.Internals;
import io.volume4j.inmemory.sim.SimulationBuilder;
import io.volume4j.spi.FailureKind;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.ObjectKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Deliberate bugs, which the schedules must detect. They are inserted between the engines and their parts from outside;
 * the library has no code for them.
 */
public final class Mutants {
    private Mutants() {}

    /**
     * One bug.
     *
     * @param change inserts it into a world before the build
     */
    public record Mutant(String name, UnaryOperator<SimulationBuilder> change) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** All of them, in a fixed order. */
    public static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        blindViews(all);
        wrongPlans(all);
        wrongOutcomes(all);
        lostIntents(all);
        wrongBinding(all);
        AttachMutants.addTo(all);
        FormatMutants.addTo(all);
        brokenBounds(all);
        return all;
    }

    /**
     * The seeds that are known to find bugs, by the bug's name: the file {@code mutants.txt}, one line each. Every change
     * of the worlds changes the meaning of seeds; then {@code simulator.jar mutants} finds new ones.
     */
    public static Map<String, Long> knownSeeds() {
        Map<String, Long> seeds = new LinkedHashMap<>();
        try (InputStream in = Mutants.class.getResourceAsStream("mutants.txt")) {
            String text = new String(Objects.requireNonNull(in, "mutants.txt").readAllBytes(), StandardCharsets.UTF_8);
            text.lines().map(line -> line.split(" ", 2)).forEach(line -> seeds.put(line[1], Long.valueOf(line[0])));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return seeds;
    }

    /**
     * A seed whose schedule breaks a rule with the bug: the known one, or the first of a search.
     *
     * @return -1 if none of this many does
     */
    public static long findingSeed(Mutant mutant, long schedules) {
        Schedules changed = Schedules.changed(mutant.change());
        Long known = knownSeeds().get(mutant.name());
        if (known != null && !changed.run(known).passed()) {
            return known;
        }
        return search(mutant, schedules);
    }

    /**
     * The first seed whose schedule breaks a rule with the bug.
     *
     * @return -1 if none of this many does
     */
    public static long search(Mutant mutant, long schedules) {
        Schedules changed = Schedules.changed(mutant.change());
        for (long seed = 0; seed < schedules; seed++) {
            if (!changed.run(seed).passed()) {
                return seed;
            }
        }
        return -1;
    }

    private static void blindViews(List<Mutant> all) {
        all.add(pods("does not ask whether containers still run", pod -> use(pod, pod.wish(), false, pod.mount())));
        all.add(pods(
                "takes unknown for undesired",
                pod -> pod.wish() == Wish.UNKNOWN ? use(pod, Wish.UNDESIRED, pod.mayStillUse(), pod.mount()) : pod));
        all.add(pods(
                "takes desired for undesired",
                pod -> pod.wish() == Wish.DESIRED && pod.mount() == MountState.MOUNTED
                        ? use(pod, Wish.UNDESIRED, false, pod.mount())
                        : pod));
        all.add(pods("takes undesired for desired", pod -> use(pod, Wish.DESIRED, pod.mayStillUse(), pod.mount())));
        all.add(mounts("takes an uncertain mount for none", MountState.UNCERTAIN, MountState.NOT_MOUNTED));
        all.add(mounts("takes an uncertain mount for certain", MountState.UNCERTAIN, MountState.MOUNTED));
        all.add(mounts("takes a certain mount for none", MountState.MOUNTED, MountState.NOT_MOUNTED));
        all.add(mounts("takes no mount for a certain one", MountState.NOT_MOUNTED, MountState.MOUNTED));
        all.add(device("takes an uncertain device mount for none", MountState.UNCERTAIN, MountState.NOT_MOUNTED));
        all.add(device("takes an uncertain device mount for certain", MountState.UNCERTAIN, MountState.MOUNTED));
        all.add(device("takes a certain device mount for none", MountState.MOUNTED, MountState.NOT_MOUNTED));
        all.add(device("takes no device mount for a certain one", MountState.NOT_MOUNTED, MountState.MOUNTED));
        all.add(attach("takes an uncertain attachment for none", AttachState.UNCERTAIN, AttachState.DETACHED));
        all.add(attach("takes an uncertain attachment for certain", AttachState.UNCERTAIN, AttachState.ATTACHED));
        all.add(attach("takes a certain attachment for none", AttachState.ATTACHED, AttachState.DETACHED));
        all.add(attach("takes no attachment for a certain one", AttachState.DETACHED, AttachState.ATTACHED));
        all.add(view(
                "gives a volume for one pod to many",
                view -> with(view, view.attachable(), view.deviceMountable(), false, view.doubt(), view.pods())));
        all.add(view(
                "never attaches",
                view -> with(view, false, view.deviceMountable(), view.onePodOnly(), view.doubt(), view.pods())));
        all.add(view(
                "never mounts devices",
                view -> with(view, view.attachable(), false, view.onePodOnly(), view.doubt(), view.pods())));
        all.add(view(
                "forgets the last pod",
                view -> with(
                        view,
                        view.attachable(),
                        view.deviceMountable(),
                        view.onePodOnly(),
                        view.doubt(),
                        view.pods().subList(0, Math.max(0, view.pods().size() - 1)))));
    }

    private static void wrongPlans(List<Mutant> all) {
        for (Kind kind :
                List.of(Kind.ATTACH, Kind.MOUNT_DEVICE, Kind.MOUNT, Kind.UNMOUNT, Kind.UNMOUNT_DEVICE, Kind.DETACH)) {
            all.add(plan(
                    "never does " + kind,
                    (view, steps) ->
                            steps.stream().filter(step -> step.kind() != kind).toList()));
        }
        all.add(instead(Kind.UNMOUNT, Kind.UNMOUNT_DEVICE));
        all.add(instead(Kind.UNMOUNT, Kind.DETACH));
        all.add(instead(Kind.UNMOUNT_DEVICE, Kind.DETACH));
        all.add(instead(Kind.DETACH, Kind.FORGET));
        all.add(instead(Kind.ATTACH, Kind.MOUNT_DEVICE));
        all.add(plan("detaches what is in use", (view, steps) -> {
            List<NodeStep> more = new ArrayList<>(steps);
            if (steps.isEmpty() && view.attach() == AttachState.ATTACHED) {
                more.add(NodeStep.ofVolume(Kind.DETACH, view.id(), view.name()));
            }
            return more;
        }));
        all.add(plan("unmounts the device under its pods", (view, steps) -> {
            List<NodeStep> more = new ArrayList<>(steps);
            if (steps.isEmpty() && view.device() == MountState.MOUNTED) {
                more.add(NodeStep.ofVolume(Kind.UNMOUNT_DEVICE, view.id(), view.name()));
            }
            return more;
        }));
    }

    private static void wrongOutcomes(List<Mutant> all) {
        for (Kind kind : List.of(Kind.ATTACH, Kind.MOUNT_DEVICE, Kind.MOUNT)) {
            all.add(outcome(
                    "takes an uncertain " + kind + " for one that did nothing",
                    kind,
                    failure -> failure.kind() == FailureKind.UNCERTAIN,
                    failure -> Outcome.failure(VolumeException.transientFailure("mutated"))));
        }
        for (Kind kind : List.of(Kind.UNMOUNT, Kind.UNMOUNT_DEVICE, Kind.DETACH)) {
            all.add(outcome(
                    "takes any failed " + kind + " for done", kind, failure -> true, failure -> Outcome.success(true)));
            all.add(outcome(
                    "lets a final failure of " + kind + " end all doubt",
                    kind,
                    failure -> failure.kind() == FailureKind.FINAL,
                    failure -> Outcome.failure(
                            VolumeException.finalFailure("mutated").provingAbsence())));
        }
    }

    private static void lostIntents(List<Mutant> all) {
        for (Kind kind :
                List.of(Kind.ATTACH, Kind.MOUNT_DEVICE, Kind.MOUNT, Kind.UNMOUNT_DEVICE, Kind.UNMOUNT, Kind.DETACH)) {
            all.add(new Mutant(
                    "writes no intent for " + kind,
                    builder -> Internals.nodeSeams(
                            builder,
                            Seams.<VolumeId, VolumeView, NodeStep>none()
                                    .withIntents(intents -> new Forgetful(intents, kind)))));
        }
    }

    private static void wrongBinding(List<Mutant> all) {
        for (String kind : List.of("WRITE", "PROVISION", "SAVE", "DELETE_UNSAVED_VOLUME", "DELETE", "REMOVE")) {
            all.add(new Mutant(
                    "never does " + kind + " for claims and volumes",
                    builder -> Internals.objectSeams(
                            builder,
                            Seams.<ObjectKey, ObjectView, ClusterStep>none().withPlanner(planner -> view -> {
                                Plan<ClusterStep> plan = planner.plan(view);
                                return new Plan<>(
                                        plan.steps().stream()
                                                .filter(step ->
                                                        !step.kind().name().equals(kind))
                                                .toList(),
                                        plan.waits());
                            }))));
        }
        all.add(new Mutant(
                "takes a failed deletion of storage for done",
                builder -> Internals.objectSeams(
                        builder,
                        Seams.<ObjectKey, ObjectView, ClusterStep>none()
                                .withWorld(world -> new Rewritten<>(
                                        world,
                                        (step, outcome) -> step.kind().name().equals("DELETE") && !outcome.succeeded()
                                                ? Outcome.success(true)
                                                : outcome)))));
    }

    private static void brokenBounds(List<Mutant> all) {
        all.add(new Mutant("tells what drivers say with their secrets in it", SimulationBuilder::forgetsSecrets));
        all.add(new Mutant(
                "makes more calls at once than it may",
                builder -> Internals.appliedLimits(builder, limits -> OperationExecutor.Limits.standard())));
        all.add(new Mutant(
                "never makes its journal smaller",
                builder -> Internals.journal(
                        builder,
                        JournalOptions.builder().compactAfterBytes(1 << 30).build())));
        all.add(new Mutant(
                "loses what there is no thread for",
                builder -> builder.threads(threads -> task -> {
                    try {
                        threads.execute(task);
                    } catch (OutOfMemoryError lost) {
                        // as if the executor had accepted the task
                    }
                })));
        all.add(new Mutant("asks another driver than the volume's", builder -> builder.drivers(plugin -> "mem")));
    }

    private static Mutant view(String name, UnaryOperator<VolumeView> change) {
        return new Mutant(
                name,
                builder -> Internals.nodeSeams(
                        builder,
                        Seams.<VolumeId, VolumeView, NodeStep>none()
                                .withPlanner(planner -> view -> planner.plan(change.apply(view)))));
    }

    private static Mutant pods(String name, UnaryOperator<PodUse> change) {
        return view(
                name,
                view -> with(
                        view,
                        view.attachable(),
                        view.deviceMountable(),
                        view.onePodOnly(),
                        view.doubt(),
                        view.pods().stream().map(change).toList()));
    }

    private static Mutant mounts(String name, MountState from, MountState to) {
        return pods(name, pod -> pod.mount() == from ? use(pod, pod.wish(), pod.mayStillUse(), to) : pod);
    }

    private static Mutant device(String name, MountState from, MountState to) {
        return view(name, view -> view.device() == from ? with(view, view.attach(), to) : view);
    }

    private static Mutant attach(String name, AttachState from, AttachState to) {
        return view(name, view -> view.attach() == from ? with(view, to, view.device()) : view);
    }

    private static Mutant plan(String name, BiFunction<VolumeView, List<NodeStep>, List<NodeStep>> change) {
        return new Mutant(
                name,
                builder -> Internals.nodeSeams(
                        builder, Seams.<VolumeId, VolumeView, NodeStep>none().withPlanner(planner -> view -> {
                            Plan<NodeStep> plan = planner.plan(view);
                            return new Plan<>(change.apply(view, plan.steps()), plan.waits());
                        })));
    }

    private static Mutant instead(Kind from, Kind to) {
        return plan(
                "does " + to + " instead of " + from,
                (view, steps) -> steps.stream()
                        .map(step -> step.kind() == from ? NodeStep.ofVolume(to, step.volume(), step.name()) : step)
                        .toList());
    }

    private static Mutant outcome(
            String name, Kind kind, Predicate<VolumeException> which, Function<VolumeException, Outcome> change) {
        return new Mutant(
                name,
                builder -> Internals.nodeSeams(
                        builder,
                        Seams.<VolumeId, VolumeView, NodeStep>none()
                                .withWorld(world -> new Rewritten<>(world, (step, outcome) -> {
                                    VolumeException failure = outcome.failure();
                                    return step.kind() == kind && failure != null && which.test(failure)
                                            ? change.apply(failure)
                                            : outcome;
                                }))));
    }

    private static PodUse use(PodUse pod, Wish wish, boolean mayStillUse, MountState mount) {
        return new PodUse(
                pod.podUid(),
                pod.pod(),
                wish,
                pod.doubt(),
                mayStillUse,
                mount,
                pod.remount(),
                pod.parts(),
                pod.label());
    }

    private static VolumeView with(VolumeView view, AttachState attach, MountState device) {
        return new VolumeView(
                view.id(),
                view.name(),
                view.attachable(),
                view.deviceMountable(),
                view.grant(),
                view.onePodOnly(),
                view.doubt(),
                attach,
                device,
                view.labelled(),
                view.label(),
                view.expansion(),
                view.pods());
    }

    private static VolumeView with(
            VolumeView view,
            boolean attachable,
            boolean deviceMountable,
            boolean onePodOnly,
            String doubt,
            List<PodUse> pods) {
        return new VolumeView(
                view.id(),
                view.name(),
                attachable,
                deviceMountable,
                view.grant(),
                onePodOnly,
                doubt,
                view.attach(),
                view.device(),
                view.labelled(),
                view.label(),
                view.expansion(),
                pods);
    }

    /** Drops the intents of one kind of step, but reports success. */
    private static final class Forgetful implements IntentLog<VolumeId, NodeStep> {
        private final IntentLog<VolumeId, NodeStep> intents;
        private final Kind kind;

        Forgetful(IntentLog<VolumeId, NodeStep> intents, Kind kind) {
            this.intents = intents;
            this.kind = kind;
        }

        @Override
        public void record(
                String operationId, VolumeId key, NodeStep step, Consumer<@Nullable VolumeException> durable) {
            if (step.kind() == kind) {
                durable.accept(null);
            } else {
                intents.record(operationId, key, step, durable);
            }
        }
    }

    /** Gets changed outcomes. */
    static final class Rewritten<K, V, S extends Step> implements World<K, V, S> {
        private final World<K, V, S> world;
        private final BiFunction<S, Outcome, Outcome> change;

        Rewritten(World<K, V, S> world, BiFunction<S, Outcome, Outcome> change) {
            this.world = world;
            this.change = change;
        }

        @Override
        public @Nullable V view(K key) {
            return world.view(key);
        }

        @Override
        public Call call(K key, S step) {
            return world.call(key, step);
        }

        @Override
        public void taken(K key, S step) {
            world.taken(key, step);
        }

        @Override
        public void completed(K key, S step, Outcome outcome) {
            world.completed(key, step, change.apply(step, outcome));
        }

        @Override
        public void abandoned(K key, S step) {
            world.abandoned(key, step);
        }

        @Override
        public Iterator<K> keys() {
            return world.keys();
        }
    }
}
