package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.ChurnLoad.Rate;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The number of steps per second through the whole engine: pods are repeatedly added, get their volumes, and are
 * removed.
 */
final class Churn implements Benchmark {
    /** The command in the other JVM. */
    static final String CHILD = "churn-child";

    /** Marks the child's line in its output, which may have other lines. */
    private static final String MARK = "rate ";

    @Override
    public String name() {
        return "churn";
    }

    @Override
    public String measures() {
        return "mount+unmount cycles/s through the whole engine, no-op plugin, pods of 10 volumes";
    }

    @Override
    public String warmUp() {
        return "the same cycles for 12 s (rough pass: 2 s), in the same process; every row has a JVM of its own";
    }

    @Override
    public void run(Run run) throws Exception {
        Rows rows = new Rows(run);
        Growth growth = Growth.ofTime("processor time a step", "pods at once");
        int[] pods = run.sizes(1_000, 1_000);
        int most = pods[2];
        int cores = Math.min(2, Runtime.getRuntime().availableProcessors());
        ChurnLoad load = new ChurnLoad(true, true, most);
        for (int fewer : pods) {
            Rate rate = rows.add(new ChurnLoad(true, true, fewer), cores);
            growth.at(fewer, rate.processorNanos());
            if (fewer == most && cores == 2) {
                run.comparedRates(
                        "cycles/s on 2 cores",
                        rate.perSecond(),
                        "1 core",
                        rows.add(load, 1).perSecond());
            }
        }
        rows.add(new ChurnLoad(false, true, most), cores);
        rows.add(new ChurnLoad(true, false, most), cores);
        rows.add(new ChurnLoad(false, false, most), cores);
        run.print(rows.table);
        run.note(
                "a cycle is one volume mounted and unmounted: two steps, each with its intent and its outcome written.");
        run.note("every row is a JVM of its own, bound to its cores by taskset, with " + rows.jvm.described());
        run.note("the cluster in memory keeps every pod as a manifest; its cost is in its rows, for comparison.");
        run.growth(growth);
    }

    private static final class Rows {
        private final Table table = new Table(
                "pods from",
                "journal",
                "cores",
                "pods at once",
                "cycles",
                "cycles/s",
                "steps/s",
                "CPU/step",
                "bytes/step");
        private final Run run;
        private final OtherJvm jvm;
        private int number;

        Rows(Run run) {
            this.run = run;
            this.jvm = new OtherJvm(
                    switch (run.effort()) {
                        case FULL -> 2048;
                        case QUICK -> 1024;
                        case SMOKE -> 128;
                    });
        }

        Rate add(ChurnLoad load, int cores) throws Exception {
            List<String> command = new ArrayList<>(List.of(
                    CHILD,
                    run.scratch().resolve("churn-" + ++number).toString(),
                    String.valueOf(run.nanos(12, 2)),
                    String.valueOf(run.nanos(10, 1.5))));
            command.addAll(load.arguments());
            Rate rate = Rate.of(jvm.line(cores, MARK, command));
            table.row(
                    load.source(),
                    load.journal(),
                    String.valueOf(cores),
                    Figures.count(load.pods()),
                    Figures.count(rate.cycles()),
                    Figures.rate(rate.perSecond()),
                    Figures.rate(2 * rate.perSecond()),
                    Figures.time(rate.processorNanos()),
                    Figures.bytes(rate.bytes()));
            return rate;
        }
    }

    /** Runs in the other JVM: measures and prints one line for the first. */
    static int child(List<String> arguments, PrintStream out) throws Exception {
        ChurnLoad load = ChurnLoad.of(arguments.subList(3, arguments.size()));
        Rate rate =
                load.run(Path.of(arguments.get(0)), Long.parseLong(arguments.get(1)), Long.parseLong(arguments.get(2)));
        out.println(MARK + rate.line());
        return 0;
    }
}
