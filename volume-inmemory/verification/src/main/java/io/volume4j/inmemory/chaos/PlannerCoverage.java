package io.volume4j.inmemory.chaos;

import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Step;
import io.volume4j.core.engine.Wait;
import io.volume4j.inmemory.sim.Internals;
import io.volume4j.inmemory.sim.SimulationBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Which branches the planners of simulated worlds took: the kinds of steps, the purposes of writes, what people were told,
 * and every reason to wait. The file {@code planner-branches.txt} has all that there are. Thread-safe.
 */
public final class PlannerCoverage {
    /** Who must take a branch. */
    public enum By {
        /** Random schedules. */
        SCHEDULES,
        /** Scenarios. */
        SCENARIOS,
        /** Neither: the planners' own tables. */
        TABLES
    }

    private static final Set<String> TOLD_APART = Set.of("WRITE", "TELL");

    private final Map<String, Branch> branches = new LinkedHashMap<>();
    /** By text, so that each text is matched once. */
    private final Map<String, String> branchOf = new ConcurrentHashMap<>();
    /** By planner, what was counted: plans are many, and nearly all of them say what others said. */
    private final Map<String, Counted> counted = new ConcurrentHashMap<>();

    private final Set<String> taken = ConcurrentHashMap.newKeySet();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    private record Branch(By by, Pattern pattern) {}

    private static final class Counted {
        private final Set<Enum<?>> kinds = ConcurrentHashMap.newKeySet();
        private final Set<String> reasons = ConcurrentHashMap.newKeySet();
        private volatile boolean nothing;
    }

    /** Of worlds in which nothing was planned yet. */
    public PlannerCoverage() {
        try (InputStream in = PlannerCoverage.class.getResourceAsStream("planner-branches.txt")) {
            String text = new String(
                    Objects.requireNonNull(in, "planner-branches.txt").readAllBytes(), StandardCharsets.UTF_8);
            text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                String branch = line.substring(2);
                branches.put(branch, new Branch(by(line.charAt(0)), Pattern.compile(regex(branch))));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static By by(char letter) {
        return switch (letter) {
            case 'R' -> By.SCHEDULES;
            case 'S' -> By.SCENARIOS;
            case 'T' -> By.TABLES;
            default -> throw new IllegalArgumentException("a branch is taken by R, S or T, not by " + letter);
        };
    }

    private static String regex(String branch) {
        List<String> parts = new ArrayList<>();
        for (String part : branch.split("\\*", -1)) {
            parts.add(Pattern.quote(part));
        }
        return String.join("[\\s\\S]*", parts);
    }

    /** A world whose plans are counted here. */
    public SimulationBuilder counted(SimulationBuilder builder) {
        return Internals.onPlan(builder, this::planned);
    }

    private void planned(String planner, Plan<? extends Step> plan) {
        Counted before = counted.get(planner);
        Counted known = before == null ? counted.computeIfAbsent(planner, unused -> new Counted()) : before;
        for (Step step : plan.steps()) {
            Enum<?> kind = step.kind();
            if (!known.kinds.contains(kind)) {
                if (TOLD_APART.contains(kind.name())) {
                    take(planner + " step " + kind.name() + " " + step.describe());
                } else {
                    take(planner + " step " + kind.name());
                    known.kinds.add(kind);
                }
            }
        }
        for (Wait wait : plan.waits()) {
            if (!known.reasons.contains(wait.why())) {
                take(planner + " wait " + wait.why());
                known.reasons.add(wait.why());
            }
        }
        if (!known.nothing && plan.steps().isEmpty() && plan.waits().isEmpty()) {
            take(planner + " nothing");
            known.nothing = true;
        }
    }

    private void take(String text) {
        // Asked first: a text that is known costs no lock.
        String known = branchOf.get(text);
        String branch = known == null ? branchOf.computeIfAbsent(text, this::matching) : known;
        if (branch.isEmpty()) {
            unknown.add(text);
        } else if (!taken.contains(branch)) {
            taken.add(branch);
        }
    }

    /** The most specific one, which is the longest. */
    private String matching(String text) {
        String best = "";
        for (Map.Entry<String, Branch> entry : branches.entrySet()) {
            if (entry.getKey().length() > best.length()
                    && entry.getValue().pattern().matcher(text).matches()) {
                best = entry.getKey();
            }
        }
        return best;
    }

    /** Branches that were not taken and should have been, sorted. */
    public List<String> missed(By by) {
        Set<String> missed = new TreeSet<>();
        branches.forEach((name, branch) -> {
            if (branch.by() == by && !taken.contains(name)) {
                missed.add(name);
            }
        });
        return List.copyOf(missed);
    }

    /** What planners came to that the file does not have, sorted. */
    public List<String> unknown() {
        return List.copyOf(new TreeSet<>(unknown));
    }

    /** How many of the branches were taken: {@code 60 of 62 (97 %)}. */
    public String text(By by) {
        long all =
                branches.values().stream().filter(branch -> branch.by() == by).count();
        long covered = all - missed(by).size();
        return covered + " of " + all + " (" + 100 * covered / all + " %)";
    }
}
