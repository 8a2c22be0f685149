package io.volume4j.examples.benchmarks;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** How many steps a second go through the whole engine: pods come, get their volumes, and go, over and over. */
final class Churn implements Benchmark {
    private static final int VOLUMES = 10;

    @Override
    public String name() {
        return "churn";
    }

    @Override
    public String measures() {
        return "mount+unmount cycles/s through the whole engine, no-op plugin, pods of 10 volumes";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table("journal", "pods at once", "cycles", "cycles/s", "steps/s", "CPU/step", "bytes/step");
        for (int pods : new int[] {10, 100, 1_000}) {
            try (BenchNode node = BenchNode.inMemory(run.scratch().resolve("churn-" + pods), new NoOpPlugin())) {
                row(table, "in memory", pods, node, run);
            }
        }
        try (BenchNode node = BenchNode.build(
                Files.createDirectories(run.scratch().resolve("churn-disk")),
                null,
                false,
                InMemoryCluster.create(),
                new NoOpPlugin())) {
            node.cluster.apply(Things.node());
            node.manager.start();
            row(table, "on the disk, synced", 1_000, node, run);
        }
        run.print(table);
        run.note(
                "a cycle is one volume mounted and unmounted: two steps, each with its intent and its outcome written.");
    }

    private static void row(Table table, String journal, int pods, BenchNode node, Run run) throws Exception {
        cycles(node, "warm-", pods, TimeUnit.SECONDS.toNanos(run.size(5, 2)));
        Meter meter = Meter.start();
        long cycles = cycles(node, "pod-", pods, TimeUnit.SECONDS.toNanos(run.size(10, 3)));
        Meter.Reading used = meter.stop();
        table.row(
                journal,
                Figures.count(pods),
                Figures.count(cycles),
                Figures.rate(cycles, used.wallNanos()),
                Figures.rate(2 * cycles, used.wallNanos()),
                Figures.time((double) used.cpuNanos() / (2 * cycles)),
                Figures.bytes((double) used.allocatedBytes() / (2 * cycles)));
    }

    /** Every pod comes and goes by itself until the time is over; returns the cycles of volumes. */
    private static long cycles(BenchNode node, String prefix, int pods, long nanos) throws Exception {
        AtomicLong cycles = new AtomicLong();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        long until = System.nanoTime() + nanos;
        for (int i = 0; i < pods; i++) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            turn(node, new AtomicLong(), prefix + i + "-", until, cycles, end);
        }
        for (CompletableFuture<Void> end : ends) {
            BenchNode.await(end);
        }
        return cycles.get();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What comes of it goes to the end.
    private static void turn(
            BenchNode node,
            AtomicLong turns,
            String prefix,
            long until,
            AtomicLong cycles,
            CompletableFuture<Void> end) {
        if (System.nanoTime() >= until) {
            end.complete(null);
            return;
        }
        // A pod's UID is never seen again once it is gone, so every turn has a pod of its own.
        String pod = prefix + turns.incrementAndGet();
        CompletableFuture<?> cycle =
                node.add(Things.pod(pod, NoOpPlugin.NAME, VOLUMES)).thenCompose(mounted -> node.remove(pod));
        cycle.whenComplete((done, failure) -> {
            if (failure != null) {
                end.completeExceptionally(failure);
                return;
            }
            cycles.addAndGet(VOLUMES);
            turn(node, turns, prefix, until, cycles, end);
        });
    }
}
