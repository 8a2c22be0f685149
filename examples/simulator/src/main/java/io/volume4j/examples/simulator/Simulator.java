package io.volume4j.examples.simulator;

import io.volume4j.inmemory.chaos.Campaign;
import io.volume4j.inmemory.chaos.Exploration;
import io.volume4j.inmemory.chaos.Exploration.Reconciler;
import io.volume4j.inmemory.chaos.Mutants;
import io.volume4j.inmemory.chaos.PlannerCoverage;
import io.volume4j.inmemory.chaos.PlannerCoverage.By;
import io.volume4j.inmemory.scenario.Scenario;
import io.volume4j.inmemory.scenario.ScenarioException;
import io.volume4j.inmemory.scenario.ScenarioResult;
import io.volume4j.inmemory.scenario.ScenarioRunner;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs the library in virtual time: scenario files, random schedules, and deliberate bugs. Exit code 0 if all is as it
 * should be, 1 if it is not, 2 if the command cannot be understood.
 */
public final class Simulator {
    private static final int BROKEN = 1;
    private static final int USAGE = 2;
    private static final long MUTANT_SCHEDULES = 10_000;
    private static final int DEPTH = 4;
    private static final String VERBOSE = "--verbose";

    private final PrintStream out;

    Simulator(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(arguments));
        if (words.remove(VERBOSE)) {
            // Read by logback.xml when the first logger is made.
            System.setProperty("simulator.logs", "WARN");
        }
        System.exit(new Simulator(System.out).run(words));
    }

    int run(List<String> arguments) throws IOException {
        String command = arguments.isEmpty() ? "" : arguments.get(0);
        List<String> rest = arguments.isEmpty() ? List.of() : arguments.subList(1, arguments.size());
        try {
            return switch (command) {
                case "scenario" -> rest.isEmpty() ? usage() : scenarios(rest);
                case "run" -> schedules(number(rest, "--schedules", 1_000), number(rest, "--seed", 0));
                case "explore" -> explore(rest);
                case "mutants" -> mutants();
                default -> usage();
            };
        } catch (IllegalArgumentException wrong) {
            out.println(wrong.getMessage());
            return usage();
        }
    }

    private int usage() {
        out.println("""
                usage: scenario FILE…                  run scenario files, or all in a directory
                       run --schedules N [--seed S]    run N random schedules from seed S on
                       explore [--depth N] [--states N] [--reconciler node|attach|binding]
                                                       go every way that a small world can go, N choices far
                       mutants                         check that each deliberate bug is noticed
                beside any of them: --verbose          show what the library logs of the faults, on standard error""");
        return USAGE;
    }

    private int scenarios(List<String> names) throws IOException {
        int failed = 0;
        int run = 0;
        for (Path file : files(names)) {
            run++;
            try {
                ScenarioResult result = ScenarioRunner.run(Scenario.read(file));
                out.print(result.report());
                failed += result.passed() ? 0 : 1;
            } catch (ScenarioException wrong) {
                out.println(wrong.getMessage());
                failed++;
            }
        }
        out.println(run + " scenarios, " + failed + " failed");
        return failed == 0 ? 0 : BROKEN;
    }

    private static List<Path> files(List<String> names) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String name : names) {
            Path path = Path.of(name);
            if (Files.isDirectory(path)) {
                files.addAll(below(path));
            } else if (Files.isRegularFile(path)) {
                files.add(path);
            } else {
                throw new IllegalArgumentException("there is no file " + path);
            }
        }
        return files;
    }

    private static List<Path> below(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> files = all.filter(Simulator::isScenario).sorted().toList();
            if (files.isEmpty()) {
                throw new IllegalArgumentException(
                        "there is no scenario in the directory " + directory + ": their names end in .yaml or .yml");
            }
            return files;
        }
    }

    private static boolean isScenario(Path file) {
        String name = file.toString();
        return (name.endsWith(".yaml") || name.endsWith(".yml")) && Files.isRegularFile(file);
    }

    private int schedules(long count, long seed) {
        long start = System.nanoTime();
        PlannerCoverage coverage = new PlannerCoverage();
        Campaign.Report report = Campaign.counting(coverage).run(seed, count);
        long millis = Math.max(1, (System.nanoTime() - start) / 1_000_000);
        out.println(report.text());
        out.println(report.schedules() * 1_000 / millis + " schedules/s, " + report.steps() * 1_000 / millis
                + " steps/s, planner branches " + coverage.text(By.SCHEDULES) + ", "
                + report.failures().size() + " failures");
        coverage.missed(By.SCHEDULES).forEach(branch -> out.println("not taken: " + branch));
        return report.failures().isEmpty() ? 0 : BROKEN;
    }

    private int explore(List<String> arguments) {
        int depth = Math.toIntExact(number(arguments, "--depth", DEPTH));
        long states = number(arguments, "--states", Long.MAX_VALUE);
        int at = arguments.indexOf("--reconciler");
        List<Reconciler> chosen = at < 0 || at + 1 == arguments.size()
                ? List.of(Reconciler.values())
                : List.of(Reconciler.named(arguments.get(at + 1)));
        boolean broken = false;
        for (Reconciler reconciler : chosen) {
            Exploration.Report report = Exploration.of(reconciler).explore(depth, states);
            out.println(report.text());
            broken |= !report.failures().isEmpty();
        }
        return broken ? BROKEN : 0;
    }

    private int mutants() {
        int missed = 0;
        for (Mutants.Mutant mutant : Mutants.all()) {
            long seed = Mutants.findingSeed(mutant, MUTANT_SCHEDULES);
            out.println((seed < 0 ? "MISSED " : "found by seed " + seed + ": ") + mutant.name());
            missed += seed < 0 ? 1 : 0;
        }
        out.println(Mutants.all().size() + " deliberate bugs, " + missed + " missed");
        return missed == 0 ? 0 : BROKEN;
    }

    private static long number(List<String> arguments, String option, long otherwise) {
        int at = arguments.indexOf(option);
        if (at < 0) {
            return otherwise;
        }
        if (at + 1 == arguments.size()) {
            throw new IllegalArgumentException(option + " needs a number");
        }
        try {
            return Long.parseLong(arguments.get(at + 1));
        } catch (NumberFormatException notOne) {
            throw new IllegalArgumentException(option + " needs a number, not " + arguments.get(at + 1), notOne);
        }
    }
}
