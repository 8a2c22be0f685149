package io.volume4j.examples.benchmarks;

import io.volume4j.core.volumes.MountedPod;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Latencies;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.NoOpPlugin;
import io.volume4j.examples.benchmarks.world.Things;
import io.volume4j.spi.CallContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Whether volumes whose storage never answers slow the others down. */
final class HungStorage implements Benchmark {
    private static final String MUTE = "mute.volume4j.io";

    @Override
    public String name() {
        return "hung-storage";
    }

    @Override
    public String measures() {
        return "pod added -> mounted for healthy volumes beside storage that never answers";
    }

    @Override
    public String warmUp() {
        return "a quarter as many pods as are measured, in each round; rounds with and without hung volumes take turns";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table("hung volumes", "samples", "p50", "p99", "p99 to none hung", "threads", "close");
        Growth growth = Growth.ofTime("p99 of healthy volumes", "hung volumes");
        double first = 0;
        int round = 0;
        for (int hung : new int[] {0, 100, 0, 1, 10, 100}) {
            round++;
            Mute mute = new Mute();
            BenchNode node = BenchNode.inMemory(run.scratch().resolve("round-" + round), new NoOpPlugin(), mute);
            Latencies latencies = new Latencies();
            int threads;
            long closing;
            try {
                for (int i = 0; i < hung; i++) {
                    node.cluster.apply(Things.pod("hung-" + i, MUTE));
                }
                int samples = run.size(20_000, 1_200);
                for (int i = -samples / 4; i < samples; i++) {
                    String name = "healthy-" + i;
                    long added = System.nanoTime();
                    CompletableFuture<MountedPod> mounted = node.add(Things.pod(name, NoOpPlugin.NAME));
                    long took = mounted.thenApply(ignored -> System.nanoTime()).get(1, TimeUnit.MINUTES) - added;
                    if (i >= 0) {
                        latencies.record(took);
                    }
                    BenchNode.await(node.remove(name));
                }
                threads = Thread.activeCount();
            } finally {
                long began = System.nanoTime();
                node.close();
                closing = System.nanoTime() - began;
                mute.answer.countDown();
            }
            first = first == 0 ? latencies.at(99) : first;
            if (round > 3) {
                growth.at(hung, latencies.at(99));
            }
            if (round == 2) {
                run.compared("p99 of healthy volumes", latencies.at(99), "none hung", first);
            }
            table.row(
                    Figures.count(hung),
                    Figures.count(latencies.count()),
                    latencies.p50(),
                    latencies.p99(),
                    Figures.ratio(latencies.at(99) / first),
                    Figures.count(threads),
                    Figures.time(closing));
        }
        run.print(table);
        run.growth(growth);
    }

    /** Never answers, not even to an interrupt, until the measurement is over. */
    private static final class Mute extends NoOpPlugin {
        private final CountDownLatch answer = new CountDownLatch(1);

        @Override
        public String name() {
            return MUTE;
        }

        @Override
        public MountResult mount(MountRequest request, CallContext context) {
            boolean answered = false;
            while (!answered) {
                try {
                    answer.await();
                    answered = true;
                } catch (InterruptedException ignored) {
                    // As a thread in an uninterruptible sleep.
                }
            }
            return super.mount(request, context);
        }
    }
}
