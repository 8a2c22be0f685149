package io.volume4j.examples.benchmarks;

import io.volume4j.core.linux.mount.MountTableSearch;
import io.volume4j.core.node.state.JournalRowEncoding;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.micro.IndexMatch;
import io.volume4j.examples.benchmarks.micro.PathCheck;
import io.volume4j.examples.benchmarks.micro.PlannerDecision;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The small benchmarks, measured by JMH. */
final class Micro implements Benchmark {
    /** The file that JMH's annotation processor writes. */
    static final String LIST = "/META-INF/BenchmarkList";

    /** Instead of the flags of this process, whose large heap every fork would have to touch first. */
    private static final String[] JVM_ARGUMENTS = {"-Xms1g", "-Xmx1g"};

    /**
     * A class of JMH benchmarks.
     *
     * @param of the unit of its parameter
     */
    private record Subject(Class<?> type, String of) {}

    private static final List<Subject> SUBJECTS = List.of(
            new Subject(PlannerDecision.class, "pods of the volume"),
            new Subject(JournalRowEncoding.class, "entries in the row"),
            new Subject(MountTableSearch.class, "mounts"),
            new Subject(IndexMatch.class, "volumes"),
            new Subject(PathCheck.class, "names in the path"),
            new Subject(ExplainPod.class, "pods"));

    @Override
    public String name() {
        return "micro";
    }

    @Override
    public String measures() {
        return "by JMH: planner decision, journal row, mount table, index match, path checks, explain";
    }

    @Override
    public String warmUp() {
        return "by JMH: three iterations of 1 s in each of two forked JVMs with " + String.join(" ", JVM_ARGUMENTS)
                + "; quick: one of 0.1 s in this JVM";
    }

    @Override
    public void run(Run run) throws Exception {
        if (Micro.class.getResource(LIST) == null) {
            throw new Unable("this program was compiled without JMH's annotation processor; build it with Maven");
        }
        Table table = new Table("what", "of", "number", "time", "error (99.9 %)", "to fewest");
        List<Growth> growths = new ArrayList<>();
        for (Subject subject : SUBJECTS) {
            Map<String, Growth> byMethod = new LinkedHashMap<>();
            Map<String, Double> first = new LinkedHashMap<>();
            for (RunResult result : results(run, subject)) {
                String method = subject.type().getSimpleName() + "."
                        + Pattern.compile(".*\\.")
                                .matcher(result.getParams().getBenchmark())
                                .replaceFirst("");
                long size = Long.parseLong(result.getParams().getParam("size"));
                Result<?> time = result.getPrimaryResult();
                double fewest = first.computeIfAbsent(method, m -> time.getScore());
                byMethod.computeIfAbsent(method, m -> Growth.ofTime(m, subject.of()))
                        .at(size, time.getScore());
                table.row(
                        method,
                        subject.of(),
                        Figures.count(size),
                        Figures.precise(time.getScore()),
                        Double.isNaN(time.getScoreError()) ? "" : Figures.precise(time.getScoreError()),
                        Figures.ratio(time.getScore() / fewest));
            }
            growths.addAll(byMethod.values());
        }
        run.print(table);
        growths.forEach(run::growth);
    }

    private static Collection<RunResult> results(Run run, Subject subject) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(subject.type().getName()) + "\\.")
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        return new Runner(
                        switch (run.effort()) {
                            case FULL ->
                                times(options, 2, 3, 5, TimeValue.seconds(1)).build();
                            case QUICK ->
                                times(options, 0, 1, 3, TimeValue.milliseconds(100))
                                        .build();
                            case SMOKE ->
                                times(options, 0, 1, 1, TimeValue.milliseconds(5))
                                        .build();
                        })
                .run();
    }

    private static ChainedOptionsBuilder times(
            ChainedOptionsBuilder options, int forks, int warmUps, int measured, TimeValue each) {
        return options.forks(forks)
                .jvmArgs(JVM_ARGUMENTS)
                .warmupIterations(warmUps)
                .warmupTime(each)
                .measurementIterations(measured)
                .measurementTime(each);
    }
}
