package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.workload.GenerateCommand;
import io.volume4j.examples.benchmarks.workload.ReplayCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command: runs all benchmarks, or those that are named, and prints a table each and one of ratios for all. */
public final class Benchmarks {
    private static final String USAGE = """
            usage: java -jar benchmarks.jar [--quick] [--scratch DIR] [NAME]...
                   java -jar benchmarks.jar generate --seed S [OPTION]...
                   java -jar benchmarks.jar replay [OPTION]... FILE|-
                   java -jar benchmarks.jar jmh [ARGUMENT OF JMH]...

              --quick         a rough pass: smaller worlds and fewer samples, all in under 3 minutes
              --smoke         a few operations of each, to see that all still run; the figures mean nothing
              --scratch DIR   a directory on the disk to measure with; default: the temporary directory

              generate        writes a workload as JSON lines; generate --help says more
              replay          plays a workload and writes when each operation was done; replay --help says more
              jmh             the small benchmarks with the command line of JMH, for instance jmh -prof gc
            """;

    private Benchmarks() {}

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
                new SchedulingBenchmark(),
                new HungStorage(),
                new CsiOverhead(),
                new JournalRate(),
                new InstrumentationCost(),
                new Micro());
    }

    /** Exit code 0 if all could run, 1 if one could not, 2 for a wrong command line. */
    public static void main(String[] arguments) throws Exception {
        List<String> rest = Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length);
        switch (arguments.length == 0 ? "" : arguments[0]) {
            case "generate" -> System.exit(GenerateCommand.run(rest, System.out, System.err));
            case "replay" -> System.exit(ReplayCommand.run(rest, System.in, System.out, System.err));
            case "jmh" -> org.openjdk.jmh.Main.main(rest.toArray(String[]::new));
            case Churn.CHILD -> System.exit(Churn.child(rest, System.out));
            default -> System.exit(run(arguments, System.out));
        }
    }

    static int run(String[] arguments, PrintStream out) throws Exception {
        Effort effort = Effort.FULL;
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--quick" -> effort = Effort.QUICK;
                case "--smoke" -> effort = Effort.SMOKE;
                case "--scratch" -> {
                    i++;
                    if (i == arguments.length) {
                        out.print(usage());
                        return 2;
                    }
                    parent = Path.of(arguments[i]);
                }
                case "-h", "--help" -> {
                    out.print(usage());
                    return 0;
                }
                default -> names.add(arguments[i]);
            }
        }
        List<Benchmark> wanted = new ArrayList<>();
        for (String name : names) {
            List<Benchmark> named =
                    all().stream().filter(b -> b.name().equals(name)).toList();
            if (named.isEmpty()) {
                out.println("there is no benchmark " + name);
                out.print(usage());
                return 2;
            }
            wanted.addAll(named);
        }
        return run(wanted.isEmpty() ? all() : wanted, effort, parent, out);
    }

    private static int run(List<Benchmark> wanted, Effort effort, Path parent, PrintStream out) throws Exception {
        int code = 0;
        long began = System.nanoTime();
        Summary summary = new Summary();
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
                out.println("  took " + Figures.time(System.nanoTime() - start) + "; meanwhile " + neighbours.line());
                out.println();
            }
        } finally {
            delete(scratch);
        }
        summary.print(out);
        out.println("whole run: " + Figures.time(System.nanoTime() - began));
        return code;
    }

    private static String usage() {
        return USAGE
                + all().stream()
                        .map(b -> String.format("%n  %-14s %s", b.name(), b.measures()))
                        .collect(Collectors.joining())
                + System.lineSeparator();
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
