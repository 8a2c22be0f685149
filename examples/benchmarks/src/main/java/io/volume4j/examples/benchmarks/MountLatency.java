package io.volume4j.examples.benchmarks;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Effort;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Latencies;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.workload.PacedArrivals;
import io.volume4j.examples.benchmarks.workload.PacedArrivals.Implementation;
import io.volume4j.examples.benchmarks.workload.PollingDesignModel;
import io.volume4j.examples.benchmarks.world.BenchCluster;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.BindPlugin;
import io.volume4j.examples.benchmarks.world.HandOnCluster;
import io.volume4j.examples.benchmarks.world.NoOpPlugin;
import io.volume4j.examples.benchmarks.world.Things;
import io.volume4j.spi.model.Pod;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The time that a pod waits for its volume. First with paced arrivals, as users see it. Then in a hot loop, one pod after another,
 * next to many mounted ones, which is the library's best case.
 */
final class MountLatency implements Benchmark {
    /** The command in the other JVM. */
    static final String CHILD = "paced-child";

    /** Marks the child's line in its output, which may have other lines. */
    private static final String MARK = "paced ";

    @Override
    public String name() {
        return "mount-latency";
    }

    @Override
    public String measures() {
        return "pod added -> mounted: paced arrivals; then one after another in a hot loop, beside other mounted volumes";
    }

    @Override
    public String warmUp() {
        return "paced: 2,000 pods on another node; hot: 20,000 pods with nothing below them and 3,000 with real mounts on the same"
                + " node; not counted (rough: 500, 5,000, 600)";
    }

    @Override
    public void run(Run run) throws Exception {
        paced(run);
        hot(run);
    }

    private static void paced(Run run) throws Exception {
        Table table = new Table("paced arrivals", "samples", "p50", "p99", "p99.9", "slowest");
        OtherJvm jvm = new OtherJvm(run.effort() == Effort.SMOKE ? 128 : 512);
        List<Double> inMemory = paced(run, jvm, table, Implementation.LIBRARY_JOURNAL_IN_MEMORY);
        List<Double> onDisk = paced(run, jvm, table, Implementation.LIBRARY_JOURNAL_ON_DISK);
        List<Double> model = paced(run, jvm, table, Implementation.POLLING_DESIGN_MODEL);
        run.print(table);
        run.note(String.format(
                Locale.ROOT,
                "%.0f pods a second with a claim each, from the cluster in memory, no-op plugin; every row is a JVM of its own with",
                PacedArrivals.PODS_PER_SECOND));
        run.note(jvm.described() + ".");
        run.compared("paced, in memory, p50", inMemory.get(0), "polling design model", model.get(0));
        run.compared("paced, in memory, p99", inMemory.get(1), "polling design model", model.get(1));
        run.compared("paced, on the disk, p50", onDisk.get(0), "polling design model", model.get(0));
        run.compared("paced, on the disk, p99", onDisk.get(1), "polling design model", model.get(1));
    }

    /** Adds a row; returns p50, p99, p99.9 and the slowest, in nanoseconds. */
    private static List<Double> paced(Run run, OtherJvm jvm, Table table, Implementation implementation)
            throws Exception {
        String line = jvm.line(
                Runtime.getRuntime().availableProcessors(),
                MARK,
                List.of(
                        CHILD,
                        implementation.name(),
                        String.valueOf(run.size(2_000, 500)),
                        String.valueOf(run.size(2_000, 200)),
                        run.scratch().resolve(implementation.name()).toString()));
        List<Double> figures =
                Arrays.stream(line.split(" ")).map(Double::valueOf).toList();
        List<String> row = new ArrayList<>(List.of(
                implementation.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                Figures.count(figures.get(0).longValue())));
        figures.stream().skip(1).map(Figures::time).forEach(row::add);
        table.row(row.toArray(String[]::new));
        return figures.subList(1, figures.size());
    }

    /** Runs in the other JVM: plays the pods and prints one line for the first JVM. */
    static int child(List<String> arguments, PrintStream out) throws Exception {
        Latencies latencies = new Latencies();
        PacedArrivals.play(
                Implementation.valueOf(arguments.get(0)),
                Integer.parseInt(arguments.get(1)),
                Integer.parseInt(arguments.get(2)),
                Path.of(arguments.get(3)),
                latencies::record);
        out.println(MARK + latencies.count() + " " + latencies.at(50) + " " + latencies.at(99) + " "
                + latencies.at(99.9) + " " + latencies.at(100));
        return 0;
    }

    private static void hot(Run run) throws Exception {
        Table table =
                new Table("hot closed loop", "others mounted", "samples", "p50", "p99", "p99.9", "p50 to none beside");
        Growth growth = Growth.ofTime("p50", "other volumes mounted");
        int[] others = run.sizes(100_000, 10_000);
        Latencies alone = inMemory(run, 0, run.size(20_000, 1_200));
        row(table, "no-op plugin, journal in memory", 0, alone, alone);
        Latencies beside = alone;
        for (int many : others) {
            beside = inMemory(run, many, run.size(20_000, 1_200));
            growth.at(many, beside.at(50));
            row(table, "no-op plugin, journal in memory", many, beside, alone);
        }
        for (int many : run.effort() == Effort.FULL ? new int[] {0, 10_000} : new int[] {0}) {
            try (LinuxMountBackend machine = LinuxMountBackend.create()) {
                if (machine.abilities().mayMount()) {
                    Latencies real = real(run, machine, many, run.size(3_000, 300));
                    row(table, "real bind mount, durable intents", many, real, alone);
                } else {
                    run.note("no real mounts: " + machine.abilities().reason());
                }
            }
        }
        for (int many : new int[] {0, others[1], others[2]}) {
            Latencies model = polling(run, many);
            row(table, "polling design model", many, model, alone);
            Latencies ours = many == 0 ? alone : beside;
            if (many != others[1]) {
                String where = " beside " + Figures.count(many);
                run.compared("hot loop, p50" + where, ours.at(50), "polling design model", model.at(50));
                run.compared("hot loop, p99" + where, ours.at(99), "polling design model", model.at(99));
            }
        }
        run.print(table);
        run.note("the model is not any product: it scans each 100 ms for wishes, each 100 ms for work, and a waiter");
        run.note("looks each 300 ms, as the field's published constants say; its backend is the same no-op.");
        run.growth(growth);
    }

    private static void row(Table table, String what, int others, Latencies latencies, Latencies alone) {
        table.row(
                what,
                Figures.count(others),
                Figures.count(latencies.count()),
                latencies.p50(),
                latencies.p99(),
                latencies.p999(),
                Figures.ratio(latencies.at(50) / alone.at(50)));
    }

    private static Latencies inMemory(Run run, int others, int samples) throws Exception {
        try (BenchNode node = BenchNode.started(
                run.scratch().resolve("latency-" + others), true, new HandOnCluster(), new NoOpPlugin())) {
            node.fill("other-", NoOpPlugin.NAME, others);
            return oneByOne(node, NoOpPlugin.NAME, run.size(20_000, 5_000), samples);
        }
    }

    private static Latencies real(Run run, LinuxMountBackend machine, int others, int samples) throws Exception {
        Path root = run.scratch().resolve("real-" + others);
        BenchCluster cluster = new HandOnCluster();
        cluster.apply(Things.node());
        try (BindPlugin plugin = new BindPlugin(machine, Files.createDirectories(root));
                BenchNode node = BenchNode.build(root, machine, false, cluster, plugin)) {
            plugin.prepare();
            node.manager.start();
            node.fill("other-", BindPlugin.NAME, others);
            return oneByOne(node, BindPlugin.NAME, run.size(3_000, 600), samples);
        }
    }

    private static Latencies oneByOne(BenchNode node, String driver, int warmUp, int samples) throws Exception {
        Latencies latencies = new Latencies();
        for (int i = -warmUp; i < samples; i++) {
            String name = "sample-" + i;
            Pod pod = Things.pod(name, driver);
            long added = System.nanoTime();
            CompletableFuture<MountedPod> mounted = node.add(pod);
            CompletableFuture<Long> seen = mounted.thenApply(ignored -> System.nanoTime());
            long took = seen.get(1, TimeUnit.MINUTES) - added;
            if (i >= 0) {
                latencies.record(took);
            }
            BenchNode.await(node.remove(name));
        }
        return latencies;
    }

    private static Latencies polling(Run run, int others) throws Exception {
        Latencies latencies = new Latencies();
        SplittableRandom random = new SplittableRandom(1);
        LongAdder calls = new LongAdder();
        PollingDesignModel.Backend backend = new PollingDesignModel.Backend() {
            @Override
            public void mount(String pod, String volume) {
                calls.increment();
            }

            @Override
            public void unmount(String pod, String volume) {
                calls.increment();
            }
        };
        try (PollingDesignModel model = new PollingDesignModel(backend)) {
            CompletableFuture<?>[] before = new CompletableFuture<?>[others];
            for (int i = 0; i < others; i++) {
                before[i] = model.add("other-" + i, List.of("v0"));
            }
            BenchNode.await(CompletableFuture.allOf(before));
            int samples = run.size(200, 30);
            CompletableFuture<?>[] all = new CompletableFuture<?>[samples];
            for (int i = 0; i < samples; i++) {
                // At random times, so that samples do not synchronise with the scans.
                TimeUnit.MICROSECONDS.sleep(random.nextInt(1_000, 60_000));
                long added = System.nanoTime();
                all[i] = model.add("sample-" + i, List.of("v0"))
                        .thenRun(() -> latencies.record(System.nanoTime() - added));
            }
            BenchNode.await(CompletableFuture.allOf(all));
        }
        return latencies;
    }
}
