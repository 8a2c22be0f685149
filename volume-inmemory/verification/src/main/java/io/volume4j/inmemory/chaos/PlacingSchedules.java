package io.volume4j.inmemory.chaos;

import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.chaos.PlacingAct.Kind;
import io.volume4j.inmemory.chaos.Schedules.Result;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.spi.model.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Random worlds in which a host's schedulers place pods by what the library says of their volumes, each made of nothing but its
 * seed. Immutable; {@link #run} may be called from several threads.
 */
public final class PlacingSchedules {
    private static final long MOST_STEPS = 60_000;
    private static final Duration CALM = Duration.ofMinutes(40);
    private static final int STRETCH = 40;

    /** In one schedule out of so many, there is little room. */
    private static final int CROWDED = 3;

    private static final List<Kind> KINDS = many(
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

    private final UnaryOperator<HostScheduler.Placer> change;

    private PlacingSchedules(UnaryOperator<HostScheduler.Placer> change) {
        this.change = change;
    }

    /** Of the library as it is. */
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

    /** The same with as few acts as still break the same rule; costs some hundred runs. */
    public Result minimal(long seed) {
        return Smallest.of(acts(seed), acts -> run(seed, acts));
    }

    private static List<PlacingAct> acts(long seed) {
        RandomGenerator random = new SplittableRandom(seed ^ 0x91ACE);
        List<PlacingAct> acts = new ArrayList<>();
        for (int i = 0; i < PlacingDrama.CLAIMS - 1; i++) {
            acts.add(new PlacingAct(Kind.ADD_CLAIM, i, random.nextInt(1 << 16), random.nextInt(1 << 16)));
        }
        int count = 8 + random.nextInt(16);
        for (int i = 0; i < count; i++) {
            acts.add(new PlacingAct(
                    KINDS.get(random.nextInt(KINDS.size())),
                    random.nextInt(1 << 16),
                    random.nextInt(1 << 16),
                    random.nextInt(1 << 16)));
            acts.add(
                    random.nextInt(3) == 0
                            ? new PlacingAct(Kind.PASS, 1 + random.nextInt(1 << (1 + random.nextInt(16))), 0, 0)
                            : new PlacingAct(Kind.RUN, 1 + random.nextInt(STRETCH), 0, 0));
        }
        return acts;
    }

    private Result run(long seed, List<PlacingAct> acts) {
        PlacingDrama.Schedulers schedulers = new PlacingDrama.Schedulers(change);
        Simulation world = Simulation.builder(seed)
                .nodes(List.copyOf(PlacingDrama.ZONES.keySet()))
                .controllers(2)
                .attachMode(AttachMode.CONTROLLER)
                .features("capacity", "protection")
                .podRuntimes()
                .restarts()
                .stopsWhenBroken()
                .mostSteps(MOST_STEPS)
                .program("scheduler-1", schedulers.program("scheduler-1"))
                .program("scheduler-2", schedulers.program("scheduler-2"))
                .storage(storage -> storage.topology(PlacingJudge.ZONE, PlacingDrama.ZONES)
                        .capacityBytes(Quantity.parse(Math.floorMod(seed, CROWDED) == 0 ? "6Gi" : "1000Gi")
                                .bytes()))
                .build();
        try (PlacingDrama drama = new PlacingDrama(world, schedulers)) {
            world.turbulence(Schedules.turbulence(seed, false));
            for (PlacingAct act : acts) {
                drama.play(act);
                if (world.broken()) {
                    return result(seed, acts, world);
                }
            }
            drama.calm();
            drama.settle(CALM);
            if (!world.broken()) {
                drama.end();
            }
        } catch (RuntimeException broken) {
            if (!world.broken()) {
                world.oracle().violate(Rule.L6, "the run", "it broke: " + broken);
            }
        }
        return result(seed, acts, world);
    }

    private static Result result(long seed, List<PlacingAct> acts, Simulation world) {
        List<Violation> violations = world.violations();
        boolean passed = violations.isEmpty();
        return new Result(
                seed,
                "PLACING",
                world.hash(),
                world.steps(),
                world.faults(),
                world.boundaries(),
                violations,
                passed ? List.of() : acts.stream().map(PlacingAct::toString).toList(),
                passed ? List.of() : world.trace());
    }

    private static List<Kind> many(Object... kindsAndCounts) {
        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < kindsAndCounts.length; i += 2) {
            kinds.addAll(Collections.nCopies((int) kindsAndCounts[i + 1], (Kind) kindsAndCounts[i]));
        }
        return Collections.unmodifiableList(kinds);
    }
}
