package io.volume4j.inmemory.chaos;

import io.volume4j.core.assembly.ControllerFeatures;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.chaos.Act.Kind;
import io.volume4j.inmemory.chaos.Schedules.Result;
import io.volume4j.inmemory.plugin.InMemoryPlugin;
import io.volume4j.inmemory.plugin.InMemoryPluginBuilder;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.SimulationBuilder;
import io.volume4j.inmemory.sim.Turbulence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Random lives of claims with all controllers. The seed determines the acts, their times, and the faults. The same seed gives
 * the same run. Immutable; {@link #run} may be called from several threads.
 */
public final class LifeSchedules {
    private static final long MOST_STEPS = 120_000;
    private static final Duration CALM = Duration.ofMinutes(60);
    private static final int STRETCH = 60;

    /** One schedule in this many checks that the settled state stays. */
    private static final int PATIENT = 4;

    /** In one schedule in this many (those with the highest remainder), every fourth call fails. */
    static final int STORMY = 4;

    /** In one schedule in this many, volumes can be expanded only offline. */
    private static final int OFFLINE = 3;

    private static final List<Kind> KINDS = ActMix.weighted(
            Kind.ADD_CLAIM, 22,
            Kind.REMOVE_CLAIM, 11,
            Kind.COPY, 12,
            Kind.FILL, 6,
            Kind.SNAPSHOT, 10,
            Kind.REMOVE_SNAPSHOT, 6,
            Kind.GROUP, 10,
            Kind.TAKE_GROUP, 2,
            Kind.REMOVE_GROUP, 6,
            Kind.REMOVE_MEMBER, 2,
            Kind.REMOVE_CONTENT, 2,
            Kind.FORCE_CLAIM, 1,
            Kind.RESIZE, 18,
            Kind.CHANGE, 24,
            Kind.CLASS_GOES, 3,
            Kind.CLASS_COMES, 3,
            Kind.ADD_POD, 20,
            Kind.REMOVE_POD, 14,
            Kind.FINISH_POD, 3,
            Kind.REMOVE_VOLUME, 2,
            Kind.REFUSE, 8,
            Kind.CRASH, 8,
            Kind.LEADER, 6,
            Kind.PARTITION, 3,
            Kind.JOIN, 3,
            Kind.REBOOT, 2,
            Kind.BREAK_WATCHES, 4,
            Kind.STEP_CLOCK, 1,
            Kind.INCOMPLETE, 3,
            Kind.COMPLETE, 3,
            Kind.PLUGIN_GOES, 1,
            Kind.PLUGIN_COMES, 2);

    private static final ActMix MIX = new ActMix(ActMix.of(KINDS), 3, 1, 15, STRETCH);
    private static final String NAME = "LIFE";

    /** In one schedule in this many, the backend needs some time for snapshots. */
    private static final int SLOW = 3;

    private final UnaryOperator<SimulationBuilder> change;

    private LifeSchedules(UnaryOperator<SimulationBuilder> change) {
        this.change = change;
    }

    /** Schedules of the unchanged library. */
    public static LifeSchedules standard() {
        return new LifeSchedules(builder -> builder);
    }

    /** Schedules of a changed library, to check what they detect. */
    public static LifeSchedules changed(UnaryOperator<SimulationBuilder> change) {
        return new LifeSchedules(change);
    }

    /** Runs the schedule of a seed. */
    public Result run(long seed) {
        return run(seed, acts(seed));
    }

    /** The same with the fewest acts that break the same rule; costs some hundred runs. */
    public Result minimal(long seed) {
        return Workload.smallest(acts(seed), acts -> run(seed, acts));
    }

    private static List<Act> acts(long seed) {
        RandomGenerator random = new SplittableRandom(seed ^ 0x11FE);
        List<Act> acts = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            acts.add(new Act(Kind.ADD_CLAIM, i, ActMix.any(random), ActMix.any(random)));
        }
        acts.addAll(MIX.draw(random, 8 + random.nextInt(20)));
        return acts;
    }

    /** Runs these acts in the world of the seed. */
    Result run(long seed, List<Act> acts) {
        Turbulence turbulence = Schedules.turbulence(seed, Math.floorMod(seed, STORMY) == STORMY - 1);
        boolean patient = Math.floorMod(seed, PATIENT) == 1;
        int unfinished = Math.floorMod(seed, SLOW) == 0 ? 2 : 0;
        return Workload.run(
                seed,
                NAME,
                world(seed),
                world -> new LifeFamily(world, offline(seed), unfinished),
                acts,
                workload -> workload.play(acts, turbulence, CALM, patient));
    }

    /**
     * A run without random faults but with one death, and the state before everything is removed.
     *
     * @param effect the number of the change after which the process dies, 0 for none
     */
    Story story(List<Act> acts, long effect) {
        Simulation world = world(0);
        AtomicReference<List<String>> before = new AtomicReference<>(List.of());
        Result result = Workload.run(0, NAME, world, it -> new LifeFamily(it, false, 0), acts, workload -> {
            world.crashBehind(effect == 0 ? -1 : effect);
            for (Act act : acts) {
                workload.play(act);
                workload.settle(CALM);
                world.advance(Duration.ofSeconds(5));
            }
            before.set(workload.family().summary());
            workload.family().end(workload);
        });
        return new Story(result, before.get(), world.effects());
    }

    record Story(Result result, List<String> before, long effects) {}

    private static boolean offline(long seed) {
        return Math.floorMod(seed, OFFLINE) == 2;
    }

    private Simulation world(long seed) {
        SimulationBuilder builder = Simulation.builder(seed)
                .nodes(List.of("n1", "n2"))
                .controllers(2)
                .attachMode(AttachMode.CONTROLLER)
                .features(ControllerFeatures.words().toArray(String[]::new))
                .podRuntimes()
                .restarts()
                .stopsWhenBroken()
                .mostSteps(MOST_STEPS)
                .storage(storage -> storage.maxVolumeBytes(LifeFamily.LARGEST))
                .plugins((world, process) -> {
                    InMemoryPluginBuilder plugin = InMemoryPlugin.builder(world.storage());
                    return List.of((offline(seed) ? plugin.expandsOffline() : plugin).build());
                });
        return change.apply(builder).build();
    }
}
