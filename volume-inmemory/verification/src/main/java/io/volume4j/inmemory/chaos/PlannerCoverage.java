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
 * The branches that the planners of simulated worlds took: the kinds of steps, the purposes of writes, the texts for
 * users, and every reason to wait. The file {@code planner-branches.txt} lists all of them. Thread-safe.
 */
public final class PlannerCoverage {
    /** The tests that must take a branch. */
    public enum By {
        /** Random schedules. */
        SCHEDULES,
        /** Scenarios. */
        SCENARIOS,
        /** Neither: the planners' own table tests. */
        TABLES
    }

    private static final Set<String> TOLD_APART = Set.of("WRITE", "TELL");

    private final Map<String, Branch> branches = new LinkedHashMap<>();
    /** Cached by text, so that each text is matched once. */
    private final Map<String, String> branchOf = new ConcurrentHashMap<>();
    /** Cached by planner: there are many plans, and nearly all have the same texts. */
    private final Map<String, Counted> counted = new ConcurrentHashMap<>();

    private final Set<String> taken = ConcurrentHashMap.newKeySet();
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();

    private record Branch(By by, Pattern pattern) {}

    private static final class Counted {
        private final Set<Enum<?>> kinds = ConcurrentHashMap.newKeySet();
        private final Set<String> reasons = ConcurrentHashMap.newKeySet();
        private volatile boolean nothing;
    }

    /** Without any plan yet. */
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

    /** Counts the plans of a world. */
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
        // A known text needs no lock.
        String known = branchOf.get(text);
        String branch = known == null ? branchOf.computeIfAbsent(text, this::matching) : known;
        if (branch.isEmpty()) {
            unknown.add(text);
        } else if (!taken.contains(branch)) {
            taken.add(branch);
        }
    }

    /** The most specific branch, which is the longest. */
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

    /** Required branches that were not taken, sorted. */
    public List<String> missed(By by) {
        Set<String> missed = new TreeSet<>();
        branches.forEach((name, branch) -> {
            if (branch.by() == by && !taken.contains(name)) {
                missed.add(name);
            }
        });
        return List.copyOf(missed);
    }

    /** Texts of planners that the file does not have, sorted. */
    public List<String> unknown() {
        return List.copyOf(new TreeSet<>(unknown));
    }

    /** The share of the taken branches: {@code 60 of 62 (97 %)}. */
    public String text(By by) {
        long all =
                branches.values().stream().filter(branch -> branch.by() == by).count();
        long covered = all - missed(by).size();
        return covered + " of " + all + " (" + 100 * covered / all + " %)";
    }
}
