package io.volume4j.examples.benchmarks.workload;

import io.volume4j.examples.commandline.Usage;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code generate}: writes a workload. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        description = "Writes a workload as JSON lines; the format stands in docs/workload-format.md.")
public final class GenerateCommand implements Callable<Integer> {
    private final PrintStream out;

    @Option(
            names = "--seed",
            paramLabel = "S",
            required = true,
            description = "the same seed and options give the same file, byte for byte")
    private long seed;

    @Option(
            names = "--pods",
            paramLabel = "N",
            defaultValue = "1000",
            description = "pods that come and go (${DEFAULT-VALUE})")
    private int pods;

    @Option(
            names = "--volumes-per-pod",
            paramLabel = "N",
            defaultValue = "1",
            description = "volumes of each (${DEFAULT-VALUE})")
    private int volumesPerPod;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "1",
            description = "nodes that they run on (${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--shared",
            paramLabel = "N",
            defaultValue = "0",
            description = "volumes in all that pods share; with 0 each pod has its own (${DEFAULT-VALUE})")
    private int shared;

    @Option(
            names = "--rate",
            paramLabel = "R",
            defaultValue = "100",
            description = "pods that come in a second, on average (${DEFAULT-VALUE})")
    private double rate;

    @Option(
            names = "--lifetime-ms",
            paramLabel = "N",
            defaultValue = "1000",
            description = "how long a pod stays, on average (${DEFAULT-VALUE})")
    private long lifetime;

    @Option(
            names = "--backend-us",
            paramLabel = "N",
            defaultValue = "0",
            description = "how long each call of the backend takes (${DEFAULT-VALUE})")
    private long backend;

    @Option(
            names = "--faults",
            paramLabel = "P",
            defaultValue = "0",
            description = "share of operations with a fault, from 0 to 1 (${DEFAULT-VALUE})")
    private double faults;

    @Option(
            names = "--fault-ms",
            paramLabel = "N",
            defaultValue = "100",
            description = "how long a fault that delays takes, on average (${DEFAULT-VALUE})")
    private long faultMillis;

    public GenerateCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        WorkloadOptions options = options();
        Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        WorkloadWriter lines = new WorkloadWriter(writer);
        lines.header(new WorkloadHeader(options.seed(), options.backendNanos()));
        new Generator(options).generate(lines::operation);
        writer.flush();
        return 0;
    }

    private WorkloadOptions options() {
        try {
            return new WorkloadOptions(
                    seed,
                    notNegative("--pods", pods),
                    notNegative("--volumes-per-pod", volumesPerPod),
                    notNegative("--nodes", nodes),
                    notNegative("--shared", shared),
                    rate,
                    TimeUnit.MILLISECONDS.toNanos(lifetime),
                    TimeUnit.MICROSECONDS.toNanos(backend),
                    faults,
                    TimeUnit.MILLISECONDS.toNanos(faultMillis));
        } catch (WorkloadException wrong) {
            throw new Usage(String.valueOf(wrong.getMessage()));
        }
    }

    private static int notNegative(String option, int number) {
        if (number < 0) {
            throw new Usage(option + " is out of range: " + number);
        }
        return number;
    }
}
