package io.volume4j.inmemory.chaos;

import io.volume4j.inmemory.chaos.Act.Kind;
import io.volume4j.inmemory.chaos.Schedules.Result;
import io.volume4j.inmemory.oracle.Rule;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.inmemory.sim.SimProcess;
import io.volume4j.inmemory.sim.Simulation;
import io.volume4j.inmemory.sim.Turbulence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A random world in which acts are played. Then faults stop and everything settles; then everything is removed. The {@link Act}s
 * are data; a table has their actions, to which the world's {@link Family} adds its own.
 */
final class Workload<F extends Family> implements AutoCloseable {
    private final Simulation world;
    private final F family;
    private final Map<Kind, Consumer<Act>> acts = new EnumMap<>(Kind.class);

    Workload(Simulation world, F family) {
        this.world = world;
        this.family = family;
        acts.put(Kind.RUN, this::run);
        acts.put(Kind.PASS, act -> world.advance(Duration.ofMillis(act.a())));
        acts.put(Kind.CRASH, act -> process(act).crash());
        acts.put(Kind.PARTITION, act -> process(act).partition());
        acts.put(Kind.JOIN, act -> process(act).join());
        acts.put(Kind.BREAK_WATCHES, act -> process(act).breakWatches());
        acts.put(Kind.STEP_CLOCK, act -> process(act).stepClock(Duration.ofSeconds(act.b() - 32_768L)));
        acts.put(Kind.LEADER, act -> changeLeader());
        acts.put(Kind.INCOMPLETE, act -> world.incomplete(listed(act), true));
        acts.put(Kind.COMPLETE, act -> listAgain());
        acts.putAll(family.acts());
    }

    /**
     * A whole run, whatever fails in it.
     *
     * @param name of the kind of world
     * @param family creates the family's part of the world
     * @param life the work with the workload
     */
    static <F extends Family> Result run(
            long seed,
            String name,
            Simulation world,
            Function<Simulation, F> family,
            List<Act> acts,
            Consumer<Workload<F>> life) {
        try (Workload<F> workload = new Workload<>(world, family.apply(world))) {
            life.accept(workload);
        } catch (RuntimeException broken) {
            // A world that stopped at a violation abandons what waits for it; that is not a further failure.
            if (!world.broken()) {
                world.oracle().violate(Rule.L6, "the run", "it broke: " + broken);
            }
        }
        List<Violation> violations = world.violations();
        boolean passed = violations.isEmpty();
        return new Result(
                seed,
                name,
                world.hash(),
                world.steps(),
                world.faults(),
                world.boundaries(),
                violations,
                passed ? List.of() : acts.stream().map(Act::toString).toList(),
                passed ? List.of() : world.trace());
    }

    /**
     * The fewest acts with which a run still fails in the same way: the same rule, and the same kind of call. Leaves out ever
     * smaller stretches of the acts while the failure stays. Returns a passing run unchanged.
     */
    static Result smallest(List<Act> all, Function<List<Act>, Result> run) {
        List<Act> acts = new ArrayList<>(all);
        Result best = run.apply(acts);
        for (int size = Math.max(1, acts.size() / 2); size >= 1 && !best.passed(); size /= 2) {
            int from = 0;
            while (from < acts.size()) {
                List<Act> fewer = new ArrayList<>(acts);
                fewer.subList(from, Math.min(fewer.size(), from + size)).clear();
                Result result = run.apply(fewer);
                if (sameTrouble(result, best)) {
                    acts = fewer;
                    best = result;
                } else {
                    from += size;
                }
            }
        }
        return best;
    }

    private static boolean sameTrouble(Result result, Result wanted) {
        if (result.passed()) {
            return false;
        }
        Violation found = result.violations().get(0);
        Violation first = wanted.violations().get(0);
        return found.rule().equals(first.rule()) && call(found).equals(call(first));
    }

    private static String call(Violation violation) {
        return violation.call().split(" ", 2)[0];
    }

    Simulation world() {
        return world;
    }

    F family() {
        return family;
    }

    /** Plays all acts, or those up to the first violation; then everything to the end. */
    void play(List<Act> all, Turbulence turbulence, Duration calm, boolean patient) {
        world.turbulence(turbulence);
        for (Act act : all) {
            play(act);
            if (world.broken()) {
                return;
            }
        }
        toTheEnd(calm, patient);
    }

    void play(Act act) {
        Consumer<Act> action = acts.get(act.kind());
        if (action == null) {
            throw new IllegalArgumentException("these worlds do not know " + act);
        }
        family.beforeAct();
        action.accept(act);
        family.afterAct();
    }

    /**
     * Stops faults, settles the world, and removes everything.
     *
     * @param patient whether to check for some time that nothing happens any more
     */
    void toTheEnd(Duration calm, boolean patient) {
        calm();
        settle(calm);
        if (patient && !world.broken()) {
            family.stay();
        }
        if (!world.broken()) {
            family.end(this);
        }
    }

    private void run(Act act) {
        for (int i = 0; i < act.a() && world.step(); i++) {
            // The next act may come after each task.
        }
    }

    private SimProcess process(Act act) {
        List<? extends SimProcess> all = family.processes();
        return all.get(act.a() % all.size());
    }

    private void changeLeader() {
        if (world.controllers().size() > 1) {
            world.leaderChange();
        }
    }

    private io.volume4j.spi.model.Kind listed(Act act) {
        return family.listed().get(act.a() % family.listed().size());
    }

    private void listAgain() {
        family.listed().forEach(kind -> world.incomplete(kind, false));
    }

    /** Stops faults: everything runs, is reachable and answers. */
    private void calm() {
        world.tell("calm");
        world.turbulence(Turbulence.none());
        world.heal();
        listAgain();
        family.calm();
    }

    /** Starts and reconnects what ever ran. */
    static void revive(List<? extends SimProcess> processes) {
        for (SimProcess process : processes) {
            if (process.incarnation() > 0) {
                process.join();
                if (!process.alive()) {
                    process.start();
                }
            }
        }
    }

    /** Waits until everything is as wanted, and reports what is not within the limit. */
    void settle(Duration most) {
        report(Rule.L1, "calm", still(family::met, family::unmet, most));
    }

    /** Reports the problems that remain after the limit. */
    void settle(Rule rule, String when, Supplier<List<String>> problems, Duration most) {
        report(rule, when, still(() -> problems.get().isEmpty(), problems, most));
    }

    private void report(Rule rule, String when, List<String> problems) {
        if (!problems.isEmpty()) {
            // Before the violation, which stops the world.
            family.explain();
        }
        problems.forEach(text -> world.oracle().violate(rule, when, text));
    }

    /** A call that was sent before the calm may begin late. */
    private List<String> still(Supplier<Boolean> met, Supplier<List<String>> problems, Duration most) {
        Duration end = world.elapsed().plus(most);
        Duration pause = family.firstPause();
        while (!world.broken() && !met.get() && world.elapsed().compareTo(end) < 0) {
            family.meanwhile();
            world.advance(pause);
            pause = pause.plus(pause);
        }
        return world.broken() ? List.of() : problems.get();
    }

    @Override
    public void close() {
        world.close();
    }
}
