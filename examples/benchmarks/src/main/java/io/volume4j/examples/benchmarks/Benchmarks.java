package io.volume4j.examples.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command: runs all benchmarks, or those that are named, and prints a table each. */
public final class Benchmarks {
    private static final String USAGE = """
            usage: java -jar benchmarks.jar [--quick] [--scratch DIR] [NAME]...

              --quick         a rough pass: smaller worlds and fewer samples, all in under 3 minutes
              --scratch DIR   a directory on the disk to measure with; default: the temporary directory
            """;

    private Benchmarks() {}

    static List<Benchmark> all() {
        return List.of(
                new MountLatency(),
                new Churn(),
                new IdleCost(),
                new MemoryUse(),
                new Restart(),
                new BindingBenchmark(),
                new SchedulingBenchmark(),
                new HungStorage(),
                new JournalRate());
    }

    /** Exit code 0 if all could run, 1 if one could not, 2 for a wrong command line. */
    public static void main(String[] arguments) throws Exception {
        System.exit(run(arguments, System.out));
    }

    static int run(String[] arguments, PrintStream out) throws Exception {
        boolean quick = false;
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--quick" -> quick = true;
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
        return run(wanted.isEmpty() ? all() : wanted, quick, parent, out);
    }

    private static int run(List<Benchmark> wanted, boolean quick, Path parent, PrintStream out) throws Exception {
        Environment.print(out);
        int code = 0;
        Path scratch = Files.createTempDirectory(parent, "volume4j-benchmarks-")
                .toAbsolutePath()
                .normalize();
        try {
            for (Benchmark benchmark : wanted) {
                out.println(benchmark.name() + ": " + benchmark.measures());
                out.println();
                Path own = Files.createDirectories(scratch.resolve(benchmark.name()));
                try {
                    benchmark.run(new Run(quick, own, out));
                } catch (Benchmark.Unable unable) {
                    out.println("  cannot run here: " + unable.getMessage());
                    code = 1;
                }
                out.println();
            }
        } finally {
            delete(scratch);
        }
        return code;
    }

    private static String usage() {
        return USAGE
                + all().stream()
                        .map(b -> String.format("%n  %-14s %s", b.name(), b.measures()))
                        .collect(Collectors.joining())
                + System.lineSeparator();
    }

    private static void delete(Path directory) throws IOException {
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
