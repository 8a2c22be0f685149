package io.volume4j.inmemory.chaos;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.chaos.Act.Kind;
import io.volume4j.inmemory.chaos.Schedules.Result;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Random worlds in which the host's schedulers place pods with the library's volume binder. The seed determines each world.
 * Immutable; {@link #run} may be called from several threads.
 */
public final class PlacingSchedules {
    private static final long MOST_STEPS = 60_000;
    private static final Duration CALM = Duration.ofMinutes(40);
    private static final int STRETCH = 40;

    /** One schedule in this many has low limits. */
    private static final int CROWDED = 3;

    private static final List<Kind> KINDS = ActMix.weighted(
            Kind.ADD_CLAIM, 24,
            Kind.REMOVE_CLAIM, 6,
            Kind.ADD_POD, 24,
            Kind.REMOVE_POD, 10,
            Kind.FINISH_POD, 3,
            Kind.LIMIT, 8,
            Kind.NODE, 4,
            Kind.SCHEDULER, 8,
            Kind.REFUSE, 6,
            Kind.CRASH, 10,
            Kind.LEADER, 4,
            Kind.PARTITION, 3,
            Kind.JOIN, 4,
            Kind.BREAK_WATCHES, 4);

    private static final ActMix MIX = new ActMix(ActMix.of(KINDS), 3, 1, 16, STRETCH);

    private final UnaryOperator<HostScheduler.Placer> change;

    private PlacingSchedules(UnaryOperator<HostScheduler.Placer> change) {
        this.change = change;
    }

    /** Schedules of the unchanged library. */
    public static PlacingSchedules standard() {
        return new PlacingSchedules(placer -> placer);
    }

    static PlacingSchedules changed(UnaryOperator<HostScheduler.Placer> change) {
        return new PlacingSchedules(change);
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
        RandomGenerator random = new SplittableRandom(seed ^ 0x91ACE);
        List<Act> acts = new ArrayList<>();
        for (int i = 0; i < PlacementFamily.CLAIMS - 1; i++) {
            acts.add(new Act(Kind.ADD_CLAIM, i, ActMix.any(random), ActMix.any(random)));
        }
        acts.addAll(MIX.draw(random, 8 + random.nextInt(16)));
        return acts;
    }

    private Result run(long seed, List<Act> acts) {
        PlacementFamily.Schedulers schedulers = new PlacementFamily.Schedulers(change);
        return Workload.run(
                seed,
                "PLACING",
                world(seed, schedulers),
                world -> new PlacementFamily(world, schedulers),
                acts,
                workload -> workload.play(acts, Schedules.turbulence(seed, false), CALM, false));
    }

    private static Simulation world(long seed, PlacementFamily.Schedulers schedulers) {
        return Simulation.builder(seed)
                .nodes(List.copyOf(PlacementFamily.ZONES.keySet()))
                .controllers(2)
                .attachMode(AttachMode.CONTROLLER)
                .features("capacity", "protection")
                .podRuntimes()
                .restarts()
                .stopsWhenBroken()
                .mostSteps(MOST_STEPS)
                .program("scheduler-1", schedulers.program("scheduler-1"))
                .program("scheduler-2", schedulers.program("scheduler-2"))
                .storage(storage -> storage.topology(PlacingJudge.ZONE, PlacementFamily.ZONES)
                        .capacityBytes(Quantity.parse(Math.floorMod(seed, CROWDED) == 0 ? "6Gi" : "1000Gi")
                                .bytes()))
                .build();
    }
}
