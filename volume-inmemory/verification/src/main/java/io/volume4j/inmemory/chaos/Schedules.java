package io.volume4j.inmemory.chaos;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.core.worlds.OperationLimits;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.SimulationBuilder;
import io.volume4j.inmemory.sim.Turbulence;
import io.volume4j.spi.plugin.EffectModel;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Random schedules: each seed determines a small world, its acts, and the order of all tasks. Immutable; schedules of different
 * seeds may run concurrently.
 */
public final class Schedules {
    private static final Duration CALM = Duration.ofMinutes(60);
    /** Three times as many tasks as any such world needs. */
    private static final long MOST_STEPS = 60_000;

    private static final Duration A_WHILE = Duration.ofMinutes(1);
    /** One schedule in this many steps through the inner effects of calls. */
    private static final int STEPPED = 40;
    /** One schedule in this many waits for a long time to check that nothing happens any more. */
    private static final int PATIENT = 10;

    /** One schedule in this many compares attachments with the backend. */
    private static final int VERIFIED = 4;
    /** One schedule in this many mounts volumes with the labels of pods. */
    private static final int LABELLED = 8;
    /** In one schedule in this many, every fourth call fails, so that several failures combine. */
    private static final int STORMY = 4;

    private static final int STORM = 2_500;
    /** In one schedule in this many, some tasks get no thread. */
    private static final int SCARCE = 11;

    private static final int NO_THREAD = 400;
    /** In one schedule in this many, controllers may not rely on the order of effects. */
    private static final int UNORDERED = 6;

    private static final Duration HORIZON = Duration.ofMinutes(5);
    /** In one schedule in this many, volumes can be expanded only offline. */
    private static final int OFFLINE = 3;
    /** In one schedule in this many, the limit of a node is one less than the number of claims. */
    private static final int LIMITED = 5;

    private static final int ATTACH_LIMIT = 2;
    /** In two schedules in this many, controllers are not notified when they begin to lead, and ask each second. */
    private static final int ASKED = 8;

    /** A seed whose world of machines has disks, and no other special property. */
    private static final long OF_DISKS = 1;

    private static final int MINUTES = 300_000;

    private static final OperationLimits FEW_CALLS = new OperationLimits(1, 1, 1);

    private final UnaryOperator<SimulationBuilder> change;

    private Schedules(UnaryOperator<SimulationBuilder> change) {
        this.change = change;
    }

    /** Schedules of the unchanged library. */
    public static Schedules standard() {
        return new Schedules(builder -> builder);
    }

    /** Schedules of a changed library, to check what they detect. */
    public static Schedules changed(UnaryOperator<SimulationBuilder> change) {
        return new Schedules(change);
    }

    /** Runs the schedule of a seed. */
    public Result run(long seed) {
        Setting setting = Setting.of(seed);
        return run(seed, setting, setting.acts(seed));
    }

    /** The same with the fewest acts that break a rule, for a readable trace; costs some hundred runs. */
    public Result minimal(long seed) {
        Setting setting = Setting.of(seed);
        return Workload.smallest(setting.acts(seed), acts -> run(seed, setting, acts));
    }

    /** The same with acts and trace even if it passes, for a reader. */
    public Result traced(long seed) {
        Setting setting = Setting.of(seed);
        List<Act> acts = setting.acts(seed);
        Simulation world = world(seed, setting);
        Result result =
                Workload.run(seed, setting.name(), world, it -> family(seed, setting, it), acts, all(seed, acts));
        return result.with(acts, world.trace());
    }

    private Result run(long seed, Setting setting, List<Act> acts) {
        return run(seed, setting, acts, all(seed, acts));
    }

    /** Plays all acts with the faults of the seed, and then everything to the end. */
    private static Consumer<Workload<MountFamily>> all(long seed, List<Act> acts) {
        Turbulence turbulence = turbulence(seed, Math.floorMod(seed, STORMY) == 3);
        boolean patient = Math.floorMod(seed, PATIENT) == 1;
        return workload -> workload.play(acts, turbulence, CALM, patient);
    }

    private Result run(long seed, Setting setting, List<Act> acts, Consumer<Workload<MountFamily>> life) {
        return Workload.run(
                seed, setting.name(), world(seed, setting), world -> family(seed, setting, world), acts, life);
    }

    private static MountFamily family(long seed, Setting setting, Simulation world) {
        return new MountFamily(setting, Traits.of(seed, setting), world);
    }

    /** The faults of a random world. In one of {@code SCARCE} worlds, some tasks get no thread. */
    static Turbulence turbulence(long seed, boolean stormy) {
        Turbulence rough = stormy ? Turbulence.rough().withFailedCalls(STORM) : Turbulence.rough();
        return Math.floorMod(seed, SCARCE) == 4 ? rough.withScarceThreads(NO_THREAD) : rough;
    }

    /**
     * The same without random faults, but with one death.
     *
     * @param boundary the number of the place in a call where the process dies, 0 for none
     * @param task the number of the task after which all processes die, 0 for none
     */
    Result dyingOnce(long seed, Setting setting, List<Act> acts, long boundary, long task) {
        return run(seed, setting, acts, workload -> {
            workload.world().crashAt(boundary == 0 ? -1 : boundary);
            live(workload, acts, () -> workload.family().dieBehind(task));
            workload.toTheEnd(CALM, false);
        });
    }

    /**
     * A half formatted disk leaves its node and comes back. The process dies at that place in a call, its pod is removed
     * meanwhile, and the disk cannot be read until the volume has been detached.
     *
     * @param boundary the number of the place in a call where the process dies
     */
    Result leavingHalfFormatted(long boundary) {
        Setting setting = Setting.MACHINE;
        Act comes = new Act(Act.Kind.ADD_POD, 0, 0, 1);
        Act goes = new Act(Act.Kind.REMOVE_POD, 0, 0, 0);
        List<Act> acts = List.of(
                comes,
                new Act(Act.Kind.UNREADABLE, 0, 0, 0),
                goes,
                new Act(Act.Kind.PASS, MINUTES, 0, 0),
                new Act(Act.Kind.UNREADABLE, 0, 1, 0),
                comes,
                new Act(Act.Kind.PASS, MINUTES, 0, 0));
        return run(OF_DISKS, setting, acts, workload -> {
            Simulation world = workload.world();
            world.advance(A_WHILE);
            world.crashAt(boundary);
            workload.play(comes);
            Duration end = world.elapsed().plus(A_WHILE);
            boolean dead = false;
            while (!dead && world.stepUntil(end)) {
                dead = world.nodes().stream().anyMatch(node -> !node.alive());
            }
            acts.subList(1, acts.size()).forEach(workload::play);
            workload.toTheEnd(CALM, false);
        });
    }

    private static void live(Workload<MountFamily> workload, List<Act> acts, Runnable behindEachTask) {
        Simulation world = workload.world();
        for (Act act : acts) {
            workload.play(act);
            behindEachTask.run();
            Duration end = world.elapsed().plus(A_WHILE);
            while (world.stepUntil(end)) {
                behindEachTask.run();
            }
            world.advance(end.minus(world.elapsed()));
        }
    }

    /**
     * The tasks of that life after which a death leaves another state than after the task before. A test of a death after each
     * of them covers a death after any task.
     */
    List<Long> tasksThatLeaveSomething(long seed, Setting setting, List<Act> acts) {
        Simulation world = world(seed, setting);
        List<Long> tasks = new ArrayList<>();
        try (Workload<MountFamily> workload = new Workload<>(world, family(seed, setting, world))) {
            AtomicReference<List<Long>> before = new AtomicReference<>(List.of());
            live(workload, acts, () -> {
                List<Long> now = world.leftBehind();
                if (world.steps() > 0 && !now.equals(before.getAndSet(now))) {
                    tasks.add(world.steps());
                }
            });
        }
        return tasks;
    }

    private Simulation world(long seed, Setting setting) {
        SimulationBuilder builder = Simulation.builder(seed)
                .nodes(setting.nodeNames())
                .controllers(setting.controllers)
                .podRuntimes()
                .mostSteps(MOST_STEPS)
                .stopsWhenBroken()
                .restarts()
                .storage(storage ->
                        setting.nodes > 1 && !setting.attachesCentrally() ? storage.refusesSecondNode() : storage);
        if (setting.machines) {
            builder.machines();
        }
        boolean labels = setting.nodes > 0 && Math.floorMod(seed, LABELLED) == 2;
        boolean offline = Math.floorMod(seed, OFFLINE) == 1;
        Traits traits = Traits.of(seed, setting);
        builder.plugins((world, process) -> {
            List<VolumePlugin> plugins = new ArrayList<>();
            for (String name : traits.twoDrivers() ? List.of("mem", Traits.OTHER_DRIVER) : List.of("mem")) {
                InMemoryPluginBuilder plugin =
                        InMemoryPlugin.builder(world.storage()).name(name).driver(world.driverOf(name));
                if (setting.attachesCentrally() && Math.floorMod(seed, UNORDERED) == 4) {
                    plugin.effectModel(EffectModel.unordered(HORIZON));
                }
                if (traits.disks()) {
                    plugin.formats();
                }
                if (traits.secrets()) {
                    plugin.leaksSecrets();
                    world.unwatchedSecrets().ifPresent(plugin::secrets);
                }
                plugins.add((offline ? plugin.expandsOffline() : labels ? plugin.labels() : plugin).build());
            }
            return plugins;
        });
        if (traits.fewCalls()) {
            builder.callLimits(FEW_CALLS);
        }
        if (labels && !offline) {
            builder.labels();
        }
        if (setting.attachesCentrally()) {
            builder.attachMode(AttachMode.CONTROLLER);
            if (Math.floorMod(seed, LIMITED) == 0 && !traits.twoDrivers()) {
                builder.attachLimit(ATTACH_LIMIT);
            }
            if (Math.floorMod(seed, VERIFIED) == 0) {
                builder.verifyEvery(Duration.ofMinutes(1));
            }
        }
        if (Math.floorMod(seed + 1, ASKED) > 1) {
            builder.tellsOfLeaders();
        }
        if (Math.floorMod(seed, STEPPED) == 0) {
            builder.steppedCalls();
        }
        return change.apply(builder).build();
    }

    /**
     * The result of a schedule.
     *
     * @param hash equal for equal runs
     * @param steps the number of tasks
     * @param faults the number of faults
     * @param boundaries the number of places where a process could have died within a call
     * @param acts the acts, empty if it passed and no trace was requested
     * @param trace the end of the trace, empty if it passed and no trace was requested
     */
    public record Result(
            long seed,
            String setting,
            long hash,
            long steps,
            long faults,
            long boundaries,
            List<Violation> violations,
            List<String> acts,
            List<String> trace) {
        /** The same with acts and trace, even if it passed. */
        Result with(List<Act> played, List<String> told) {
            List<String> texts = played.stream().map(Act::toString).toList();
            return new Result(seed, setting, hash, steps, faults, boundaries, violations, texts, told);
        }

        public boolean passed() {
            return violations.isEmpty();
        }

        /** All information to understand and repeat a failure. */
        public String report() {
            StringBuilder text = new StringBuilder("seed ")
                    .append(seed)
                    .append(" (")
                    .append(setting)
                    .append(passed() ? "): passed\n" : "): broken\n");
            violations.forEach(violation -> text.append("  ").append(violation).append('\n'));
            if (!acts.isEmpty()) {
                text.append("acts\n");
                acts.forEach(act -> text.append("  ").append(act).append('\n'));
                text.append("trace\n");
                trace.forEach(line -> text.append("  ").append(line).append('\n'));
            }
            return text.toString();
        }
    }
}
