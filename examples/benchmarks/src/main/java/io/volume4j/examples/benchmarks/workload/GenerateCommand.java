package io.volume4j.examples.benchmarks.workload;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code generate}: writes a workload. */
public final class GenerateCommand {
    private static final String USAGE = """
            usage: java -jar benchmarks.jar generate --seed S [OPTION VALUE]... > FILE

              --seed S             the same seed and options give the same file, byte for byte
              --pods N             pods that come and go; default 1000
              --volumes-per-pod N  default 1
              --nodes N            default 1
              --shared N           volumes in all that pods share; default 0: every pod has its own
              --rate R             pods that come in a second, on average; default 100
              --lifetime-ms N      how long a pod stays, on average; default 1000
              --backend-us N       how long every call of the backend takes; default 0
              --faults P           share of operations with a fault, from 0 to 1; default 0
              --fault-ms N         how long a fault that delays takes, on average; default 100

            The format stands in docs/workload-format.md.
            """;

    private GenerateCommand() {}

    /** Returns the exit code: 0, or 2 for a wrong command line. */
    public static int run(List<String> arguments, PrintStream out, PrintStream errors) throws IOException {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.print(USAGE);
            return 0;
        }
        try {
            WorkloadOptions options = options(arguments);
            Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
            WorkloadWriter lines = new WorkloadWriter(writer);
            lines.header(new WorkloadHeader(options.seed(), options.backendNanos()));
            new Generator(options).generate(lines::operation);
            writer.flush();
            return 0;
        } catch (WorkloadException e) {
            errors.println(e.getMessage());
            errors.print(USAGE);
            return 2;
        }
    }

    private static WorkloadOptions options(List<String> arguments) {
        Arguments given = new Arguments(
                arguments,
                List.of(
                        "--seed",
                        "--pods",
                        "--volumes-per-pod",
                        "--nodes",
                        "--shared",
                        "--rate",
                        "--lifetime-ms",
                        "--backend-us",
                        "--faults",
                        "--fault-ms"));
        if (given.text("--seed", "").isEmpty()) {
            throw new WorkloadException("--seed is missing");
        }
        return new WorkloadOptions(
                given.number("--seed", 0),
                given.size("--pods", 1_000),
                given.size("--volumes-per-pod", 1),
                given.size("--nodes", 1),
                given.size("--shared", 0),
                given.share("--rate", 100),
                TimeUnit.MILLISECONDS.toNanos(given.number("--lifetime-ms", 1_000)),
                TimeUnit.MICROSECONDS.toNanos(given.number("--backend-us", 0)),
                given.share("--faults", 0),
                TimeUnit.MILLISECONDS.toNanos(given.number("--fault-ms", 100)));
    }
}
