package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.http.StoreChild;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Effort;
import io.volume4j.examples.benchmarks.measure.Environment;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Neighbours;
import io.volume4j.examples.benchmarks.measure.Plot;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Summary;
import io.volume4j.examples.benchmarks.workload.GenerateCommand;
import io.volume4j.examples.benchmarks.workload.ReplayCommand;
import io.volume4j.examples.benchmarks.workload.WorkloadException;
import io.volume4j.examples.commandline.Program;
import io.volume4j.examples.commandline.TextFile;
import io.volume4j.examples.commandline.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command: runs all or the named benchmarks, and prints a table for each and one of ratios for all. */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description =
                "Runs all benchmarks, or those that are named. 'benchmarks jmh ARGUMENT...' runs the small ones with the command"
                        + " line of JMH, for instance jmh -prof gc.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all ran", "1:one could not run", "2:the command line is wrong"})
public final class Benchmarks implements Callable<Integer> {
    private final PrintStream out;

    @Parameters(
            paramLabel = "NAME",
            completionCandidates = Names.class,
            description = "one of ${COMPLETION-CANDIDATES}; all without it")
    private List<String> names = new ArrayList<>();

    @Option(names = "--quick", description = "a rough pass: smaller worlds and fewer samples, all in a few minutes")
    private boolean quick;

    @Option(
            names = "--smoke",
            description = "a few operations of each, to see that all still run; the figures mean nothing")
    private boolean smoke;

    @Option(
            names = "--scratch",
            paramLabel = "DIR",
            description = "a directory on the disk to measure with (${DEFAULT-VALUE})")
    private Path scratch = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "runs all of them so often, and says of each ratio the median, the least and the greatest"
                    + " (${DEFAULT-VALUE})")
    private int rounds = 1;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "draws the ratios of all rounds with their spread, as SVG")
    private @Nullable Path plot;

    @Option(names = "--list", description = "what each benchmark measures; runs none")
    private boolean list;

    private Benchmarks(PrintStream out) {
        this.out = out;
    }

    /** The names of all benchmarks on the command line. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return all().stream().map(Benchmark::name).iterator();
        }
    }

    static List<Benchmark> all() {
        return List.of(
                new MountLatency(),
                new Churn(),
                new IdleCost(),
                new MemoryUse(),
                new Restart(),
                new RealMounts(),
                new MountTableLookUp(),
                new AttachDetach(),
                new BindingBenchmark(),
                new BindingOverHttp(),
                new SchedulingBenchmark(),
                new HungStorage(),
                new CsiOverhead(),
                new JournalRate(),
                new InstrumentationCost(),
                new LiveViewCost(),
                new Micro());
    }

    public static void main(String[] words) throws Exception {
        List<String> rest = Arrays.asList(words).subList(Math.min(1, words.length), words.length);
        switch (words.length == 0 ? "" : words[0]) {
            case "jmh" -> org.openjdk.jmh.Main.main(rest.toArray(String[]::new));
            case BindingOverHttp.CHILD -> System.exit(StoreChild.serve(System.in, System.out));
            case Churn.CHILD -> System.exit(Churn.child(rest, System.out));
            case CsiOverhead.CHILD -> System.exit(CsiOverhead.child(rest, System.in, System.out));
            case MountLatency.CHILD -> System.exit(MountLatency.child(rest, System.out));
            case Restart.CHILD -> System.exit(Restart.child(rest, System.out));
            default -> System.exit(run(words, System.in, System.out, System.err));
        }
    }

    /** The program without its process; returns the exit code. */
    public static int run(String[] words, InputStream in, PrintStream out, PrintStream err) {
        int code = Program.of(new Benchmarks(out))
                .subcommands(new GenerateCommand(out), new ReplayCommand(in, out, err))
                .failure(WorkloadException.class, Program.WRONG_USAGE)
                .run(words, out, err);
        return Program.written(code, out, err);
    }

    @Override
    public Integer call() throws Exception {
        if (list) {
            all().forEach(each -> out.printf("%-14s %s%n", each.name(), each.measures()));
            return 0;
        }
        List<Benchmark> wanted = new ArrayList<>();
        for (String name : names) {
            wanted.add(all().stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new Usage(
                            "there is no benchmark " + name + "; there are " + String.join(", ", new Names()))));
        }
        Effort effort = smoke ? Effort.SMOKE : quick ? Effort.QUICK : Effort.FULL;
        if (rounds < 1) {
            throw new Usage("--rounds must be positive: " + rounds);
        }
        if (plot != null) {
            TextFile.requireWritable("--plot", plot);
        }
        long began = System.nanoTime();
        Summary summary = new Summary();
        int code = 0;
        for (int round = 1; round <= rounds; round++) {
            if (rounds > 1) {
                out.println("round " + round + " of " + rounds);
                out.println();
            }
            code = Math.max(code, run(wanted.isEmpty() ? all() : wanted, effort, scratch, out, summary));
        }
        summary.print(out, rounds);
        if (plot != null) {
            Files.writeString(plot, Plot.of(summary.spreads(), rounds, Environment.machine()));
        }
        out.println("whole run: " + Figures.time(System.nanoTime() - began));
        return code;
    }

    private static int run(List<Benchmark> wanted, Effort effort, Path parent, PrintStream out, Summary summary)
            throws Exception {
        int code = 0;
        Path scratch = Files.createTempDirectory(parent, "volume4j-benchmarks-").toRealPath();
        try {
            for (Benchmark benchmark : wanted) {
                out.println(benchmark.name() + ": " + benchmark.measures());
                Environment.print(out, benchmark.warmUp());
                Neighbours neighbours = Neighbours.since();
                long start = System.nanoTime();
                Path own = Files.createDirectories(scratch.resolve(benchmark.name()));
                try {
                    benchmark.run(new Run(benchmark.name(), effort, own, out, summary));
                } catch (Benchmark.Unable unable) {
                    out.println("  cannot run here: " + unable.getMessage());
                    code = 1;
                }
                Neighbours.Shares shares = neighbours.shares();
                out.println("  took " + Figures.time(System.nanoTime() - start) + "; meanwhile " + shares.line());
                if (!shares.tolerable()) {
                    summary.doubt(benchmark.name(), shares.line());
                } else if (!Environment.committed()) {
                    summary.doubt(benchmark.name(), "no commit holds what was measured");
                }
                out.println();
            }
        } finally {
            delete(scratch);
        }
        return code;
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> {
                try {
                    Files.delete(path);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
