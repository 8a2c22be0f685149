package io.volume4j.examples.benchmarks;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.model.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How long a pod waits for its volume, one pod after another, beside many others that are mounted. */
final class MountLatency implements Benchmark {
    @Override
    public String name() {
        return "mount-latency";
    }

    @Override
    public String measures() {
        return "pod added -> mounted, one after another, beside other mounted volumes";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table("what", "others mounted", "samples", "p50", "p99", "p99.9", "p50 to first row");
        double first = 0;
        for (int others : run.quick() ? new int[] {0, 10_000} : new int[] {0, 10_000, 100_000}) {
            Latencies latencies = inMemory(run.scratch(), others, run.size(20_000, 3_000));
            first = first == 0 ? latencies.at(50) : first;
            row(table, "no-op plugin, journal in memory", others, latencies, first);
        }
        for (int others : run.quick() ? new int[] {0} : new int[] {0, 10_000}) {
            try (LinuxMountBackend machine = LinuxMountBackend.create()) {
                if (machine.abilities().mayMount()) {
                    row(
                            table,
                            "real bind mount, durable intents",
                            others,
                            real(run, machine, others, run.size(3_000, 500)),
                            first);
                } else {
                    run.note("no real mounts: " + machine.abilities().reason());
                }
            }
        }
        row(table, "polling design model", 0, polling(run), first);
        run.print(table);
        run.note("the model is not any product: it scans each 100 ms for wishes, each 100 ms for work, and a waiter");
        run.note("looks each 300 ms, as the field's published constants say; its backend does nothing either.");
    }

    private static void row(Table table, String what, int others, Latencies latencies, double first) {
        table.row(
                what,
                Figures.count(others),
                Figures.count(latencies.count()),
                latencies.p50(),
                latencies.p99(),
                latencies.p999(),
                Figures.ratio(latencies.at(50) / first));
    }

    private static Latencies inMemory(Path scratch, int others, int samples) throws Exception {
        try (BenchNode node = BenchNode.inMemory(scratch.resolve("latency-" + others), new NoOpPlugin())) {
            node.fill("other-", NoOpPlugin.NAME, others);
            return oneByOne(node, NoOpPlugin.NAME, samples);
        }
    }

    private static Latencies real(Run run, LinuxMountBackend machine, int others, int samples) throws Exception {
        Path root = run.scratch().resolve("real-" + others);
        InMemoryCluster cluster = InMemoryCluster.create();
        cluster.apply(Things.node());
        try (BindPlugin plugin = new BindPlugin(machine, Files.createDirectories(root));
                BenchNode node = BenchNode.build(root, machine, false, cluster, plugin)) {
            plugin.prepare();
            node.manager.start();
            node.fill("other-", BindPlugin.NAME, others);
            return oneByOne(node, BindPlugin.NAME, samples);
        }
    }

    private static Latencies oneByOne(BenchNode node, String driver, int samples) throws Exception {
        Latencies latencies = new Latencies();
        for (int i = -samples / 4; i < samples; i++) {
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

    private static Latencies polling(Run run) throws Exception {
        Latencies latencies = new Latencies();
        SplittableRandom random = new SplittableRandom(1);
        try (PollingDesignModel model = new PollingDesignModel()) {
            int samples = run.size(200, 60);
            CompletableFuture<?>[] all = new CompletableFuture<?>[samples];
            for (int i = 0; i < samples; i++) {
                // Spread over time, so that no sample falls in step with the scans.
                TimeUnit.MICROSECONDS.sleep(random.nextInt(1_000, 100_000));
                long added = System.nanoTime();
                all[i] = model.add("sample-" + i).thenRun(() -> latencies.record(System.nanoTime() - added));
            }
            BenchNode.await(CompletableFuture.allOf(all));
        }
        return latencies;
    }
}
