package io.volume4j.examples.simulator;

import io.volume4j.examples.commandline.Program;
import io.volume4j.examples.commandline.TextFile;
import io.volume4j.examples.commandline.Usage;
import io.volume4j.inmemory.chaos.Campaign;
import io.volume4j.inmemory.chaos.Exploration;
import io.volume4j.inmemory.chaos.Exploration.Reconciler;
import io.volume4j.inmemory.chaos.Mutants;
import io.volume4j.inmemory.chaos.PlannerCoverage;
import io.volume4j.inmemory.chaos.PlannerCoverage.By;
import io.volume4j.inmemory.chaos.Schedules;
import io.volume4j.inmemory.oracle.Violation;
import io.volume4j.inmemory.scale.ScaleSettings;
import io.volume4j.inmemory.scenario.Scenario;
import io.volume4j.inmemory.scenario.ScenarioException;
import io.volume4j.inmemory.scenario.ScenarioResult;
import io.volume4j.inmemory.scenario.ScenarioRunner;
import io.volume4j.inmemory.show.RunPage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** Runs the library in virtual time: scenario files, random schedules, deliberate bugs, and larger and larger clusters. */
@Command(
        name = "simulator",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description =
                "Runs the library in virtual time: scenario files, random schedules, every way of a small world, deliberate bugs, large clusters.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all is as it should be", "1:it is not", "2:the command line is wrong"})
public final class Simulator {
    private static final int BROKEN = 1;
    private static final long MUTANT_SCHEDULES = 10_000;

    private final PrintStream out;

    Simulator(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] words) {
        System.exit(run(words, System.out, System.err));
    }

    /** The program without its process; the exit code. */
    static int run(String[] words, PrintStream out, PrintStream err) {
        return Program.of(new Simulator(out)).failure(IOException.class, BROKEN).run(words, out, err);
    }

    /** Read by logback.xml when the first logger is made, which is after the command line is read. */
    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            description = "show what the library logs of the faults, on standard error")
    void showLogs(boolean verbose) {
        if (verbose) {
            System.setProperty("simulator.logs", "WARN");
        }
    }

    @Command(
            name = "scenario",
            mixinStandardHelpOptions = true,
            description = "Runs scenario files, or all in a directory.")
    int scenarios(
            @Parameters(arity = "1..*", paramLabel = "FILE") List<Path> names,
            @Option(
                            names = "--show",
                            paramLabel = "PAGE",
                            description = "write what happened as a page for a browser; for one scenario")
                    @Nullable
                    Path show)
            throws IOException {
        int failed = 0;
        int run = 0;
        List<Path> files = files(names);
        if (show != null && files.size() > 1) {
            throw new Usage("--show takes one scenario, and there are " + files.size());
        }
        requireWritable(show);
        for (Path file : files) {
            run++;
            try {
                ScenarioResult result = ScenarioRunner.run(Scenario.read(file.toString(), TextFile.read("FILE", file)));
                out.print(result.report());
                if (show != null) {
                    write(show, RunPage.of(result));
                }
                failed += result.passed() ? 0 : 1;
            } catch (ScenarioException wrong) {
                out.println(wrong.getMessage());
                failed++;
            }
        }
        out.println(run + " scenarios, " + failed + " failed");
        return failed == 0 ? 0 : BROKEN;
    }

    /** Before the work, which may take long. */
    private static void requireWritable(@Nullable Path show) {
        if (show != null) {
            TextFile.requireWritable("--show", show);
        }
    }

    private void write(Path file, String page) throws IOException {
        Files.writeString(file, page, StandardCharsets.UTF_8);
        out.println("what happened is shown in " + file);
    }

    private static List<Path> files(List<Path> names) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path path : names) {
            if (Files.isDirectory(path)) {
                files.addAll(below(path));
            } else if (Files.isRegularFile(path)) {
                files.add(path);
            } else {
                throw new Usage("there is no file " + path);
            }
        }
        return files;
    }

    private static List<Path> below(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> files = all.filter(Simulator::isScenario).sorted().toList();
            if (files.isEmpty()) {
                throw new Usage(
                        "there is no scenario in the directory " + directory + ": their names end in .yaml or .yml");
            }
            return files;
        }
    }

    private static boolean isScenario(Path file) {
        String name = file.toString();
        return (name.endsWith(".yaml") || name.endsWith(".yml")) && Files.isRegularFile(file);
    }

    @Command(name = "run", mixinStandardHelpOptions = true, description = "Runs random schedules.")
    int schedules(
            @Option(
                            names = "--schedules",
                            paramLabel = "N",
                            defaultValue = "1000",
                            description = "how many (${DEFAULT-VALUE})")
                    long count,
            @Option(
                            names = "--seed",
                            paramLabel = "S",
                            defaultValue = "0",
                            description = "of the first; each has the next one (${DEFAULT-VALUE})")
                    long seed,
            @Option(
                            names = "--show",
                            paramLabel = "PAGE",
                            description =
                                    "write the first schedule that fails, or else the first one, as a page for a browser")
                    @Nullable
                    Path show)
            throws IOException {
        requirePositive("--schedules", count);
        requireWritable(show);
        long start = System.nanoTime();
        PlannerCoverage coverage = new PlannerCoverage();
        Campaign.Report report = Campaign.counting(coverage).run(seed, count);
        long millis = Math.max(1, (System.nanoTime() - start) / 1_000_000);
        out.println(report.text());
        out.println(report.schedules() * 1_000 / millis + " schedules/s, " + report.steps() * 1_000 / millis
                + " steps/s, planner branches " + coverage.text(By.SCHEDULES) + ", "
                + report.failures().size() + " failures");
        coverage.missed(By.SCHEDULES).forEach(branch -> out.println("not taken: " + branch));
        if (show != null) {
            write(
                    show,
                    page(
                            report.failures().isEmpty()
                                    ? Schedules.standard().traced(seed)
                                    : report.failures().get(0)));
        }
        return report.failures().isEmpty() ? 0 : BROKEN;
    }

    /** A run that tests nothing must not pass. */
    private static void requirePositive(String option, long number) {
        if (number < 1) {
            throw new Usage(option + " is 1 or more, not " + number);
        }
    }

    private static String page(Schedules.Result result) {
        List<String> broken =
                result.violations().stream().map(Violation::toString).toList();
        return RunPage.of(
                (result.passed() ? "PASS" : "FAIL") + " seed " + result.seed(),
                "run --seed " + result.seed() + " --schedules 1, " + result.setting() + ", hash "
                        + Long.toHexString(result.hash()),
                broken,
                result.trace());
    }

    @Command(
            name = "explore",
            mixinStandardHelpOptions = true,
            description = "Goes every way that a small world can go.")
    int explore(
            @Option(
                            names = "--depth",
                            paramLabel = "N",
                            defaultValue = "4",
                            description = "so many choices far (${DEFAULT-VALUE})")
                    int depth,
            @Option(
                            names = "--states",
                            paramLabel = "N",
                            defaultValue = "9223372036854775807",
                            showDefaultValue = Visibility.NEVER,
                            description = "gives up after so many")
                    long states,
            @Option(
                            names = "--reconciler",
                            paramLabel = "NAME",
                            description = "one of ${COMPLETION-CANDIDATES}; all of them without it")
                    @Nullable
                    Reconciler reconciler) {
        requirePositive("--depth", depth);
        requirePositive("--states", states);
        List<Reconciler> chosen = reconciler == null ? List.of(Reconciler.values()) : List.of(reconciler);
        boolean broken = false;
        for (Reconciler each : chosen) {
            Exploration.Report report = Exploration.of(each).explore(depth, states);
            out.println(report.text());
            broken |= !report.failures().isEmpty();
        }
        return broken ? BROKEN : 0;
    }

    @Command(
            name = "scale",
            mixinStandardHelpOptions = true,
            description =
                    "Counts what a change costs in larger and larger clusters, over hours of virtual time, and says how that grows.")
    int scale(
            @Option(
                            names = "--nodes",
                            paramLabel = "N,N,N",
                            split = ",",
                            defaultValue = "10,20,40,80",
                            description = "the sizes, three or more (${DEFAULT-VALUE})")
                    List<Integer> nodes,
            @Option(
                            names = "--agents",
                            paramLabel = "N",
                            defaultValue = "2147483647",
                            showDefaultValue = Visibility.NEVER,
                            description =
                                    "on so many nodes at most an agent runs, which hears of all claims and volumes; on all without it")
                    int agents,
            @Option(
                            names = "--volumes",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "so many volumes a node (${DEFAULT-VALUE})")
                    int volumes,
            @Option(
                            names = "--volumes-of-pod",
                            paramLabel = "N",
                            defaultValue = "10",
                            description = "so many of them a pod (${DEFAULT-VALUE})")
                    int ofPod,
            @Option(
                            names = "--hours",
                            paramLabel = "N",
                            defaultValue = "24",
                            description = "of virtual time (${DEFAULT-VALUE})")
                    int hours,
            @Option(
                            names = "--events",
                            paramLabel = "N",
                            defaultValue = "4",
                            description = "so many events of each kind an hour (${DEFAULT-VALUE})")
                    int events,
            @Option(
                            names = "--seed",
                            paramLabel = "S",
                            defaultValue = "1",
                            description = "of each world (${DEFAULT-VALUE})")
                    long seed) {
        nodes.forEach(size -> requirePositive("--nodes", size));
        requirePositive("--volumes", volumes);
        requirePositive("--volumes-of-pod", ofPod);
        requirePositive("--hours", hours);
        requirePositive("--events", events);
        if (nodes.size() < 3) {
            throw new Usage("--nodes takes three sizes or more, for instance 10,20,40: fewer have no shape");
        }
        if (volumes % ofPod != 0) {
            throw new Usage("--volumes-of-pod " + ofPod + " is no part of --volumes " + volumes);
        }
        return new ScaleTable(out)
                        .run(
                                nodes.stream()
                                        .sorted()
                                        .map(size -> new ScaleSettings(
                                                seed, size, Math.min(size, agents), volumes / ofPod, ofPod))
                                        .toList(),
                                hours,
                                events)
                ? 0
                : BROKEN;
    }

    @Command(
            name = "mutants",
            mixinStandardHelpOptions = true,
            description = "Checks that each deliberate bug is noticed.")
    int mutants() {
        int missed = 0;
        for (Mutants.Mutant mutant : Mutants.all()) {
            long seed = Mutants.findingSeed(mutant, MUTANT_SCHEDULES);
            out.println((seed < 0 ? "MISSED " : "found by seed " + seed + ": ") + mutant.name());
            missed += seed < 0 ? 1 : 0;
        }
        out.println(Mutants.all().size() + " deliberate bugs, " + missed + " missed");
        return missed == 0 ? 0 : BROKEN;
    }
}
