package io.volume4j.examples.benchmarks;

import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Claims and volumes on an in-memory cluster, with the controller's own threads: all at once, one more at a full cluster,
 * and made by a plugin that makes nothing.
 */
final class BindingBenchmark implements Benchmark {
    /** Claims that come one after the other once everything else is bound. */
    private static final int MORE = 2_000;

    /** Rounds until the compiler is done; until then it takes a processor for itself. */
    private static final int WARM_UP = 4;

    private final PrintStream out;

    BindingBenchmark() {
        this(new PrintStream(PrintStream.nullOutputStream()));
    }

    BindingBenchmark(PrintStream out) {
        this.out = out;
    }

    @Override
    public String name() {
        return "binding";
    }

    @Override
    public String measures() {
        return "claims bound to as many volumes, one more claim at that size, and claims provisioned";
    }

    @Override
    public void run(Run run) throws InterruptedException {
        for (int round = 0; round < run.size(WARM_UP, 1); round++) {
            bind(20_000, MORE);
            provision(5_000);
        }
        BindingBenchmark benchmark = new BindingBenchmark(run.out());
        for (int size : run.quick() ? new int[] {1_000, 10_000} : new int[] {1_000, 10_000, 100_000}) {
            benchmark.bind(size, MORE);
            benchmark.provision(Math.min(size, 10_000));
        }
    }

    /** Binds so many claims to as many volumes, then some more one after the other. Returns the claims that were bound. */
    long bind(int claims, int more) throws InterruptedException {
        InMemoryCluster cluster = InMemoryCluster.builder().rememberedWrites(1).build();
        Population population = new Population(cluster);
        population.classes();
        population.volumes(claims + more);
        population.claims(0, claims);
        TimedCluster timed = new TimedCluster(cluster);
        try (PersistentVolumeController controller = controller(cluster, timed);
                Bound bound = new Bound(cluster)) {
            ProcessTime began = ProcessTime.now();
            controller.start();
            bound.await(claims);
            ProcessTime took = ProcessTime.now().since(began);
            out.printf(
                    "bind       %,9d claims  %,8d ms  %6.1f us a claim, %6.1f us of processor%n",
                    claims, took.wall() / 1_000_000, took.wall() / 1e3 / claims, took.processor() / 1e3 / claims);
            oneMore(claims, more, population, timed, bound);
            return bound.count();
        }
    }

    private void oneMore(int before, int more, Population population, TimedCluster timed, Bound bound)
            throws InterruptedException {
        long[] total = new long[more];
        long[] rest = new long[more];
        for (int i = 0; i < more; i++) {
            timed.reset();
            PersistentVolumeClaim claim = population.claim(before + i);
            long began = System.nanoTime();
            population.store(claim);
            long applied = System.nanoTime() - began;
            bound.await(before + i + 1);
            total[i] = System.nanoTime() - began;
            rest[i] = total[i] - applied - timed.nanos();
        }
        Arrays.sort(total);
        Arrays.sort(rest);
        out.printf(
                "one more   %,9d before  median %6.1f us, of it without writes %6.1f us (p99 %6.1f us)%n",
                before, total[more / 2] / 1e3, rest[more / 2] / 1e3, rest[more * 99 / 100] / 1e3);
    }

    /** Has a volume made for each of so many claims by a plugin that does nothing. Returns the claims that were bound. */
    long provision(int claims) throws InterruptedException {
        InMemoryCluster cluster = InMemoryCluster.builder().rememberedWrites(1).build();
        Population population = new Population(cluster);
        population.classes();
        population.provisionedClaims(claims);
        TimedCluster timed = new TimedCluster(cluster);
        try (PersistentVolumeController controller = controller(cluster, timed);
                Bound bound = new Bound(cluster)) {
            ProcessTime began = ProcessTime.now();
            controller.start();
            bound.await(claims);
            ProcessTime took = ProcessTime.now().since(began);
            out.printf(
                    "provision %,9d claims  %,8d ms  %6.1f us a claim, %6.1f us of processor%n",
                    claims, took.wall() / 1_000_000, took.wall() / 1e3 / claims, took.processor() / 1e3 / claims);
            return bound.count();
        }
    }

    private static PersistentVolumeController controller(InMemoryCluster cluster, TimedCluster timed) {
        return PersistentVolumeController.builder()
                .cluster(cluster, timed)
                .plugins(PluginRegistry.builder(InMemoryPluginHost.named("").build())
                        .plugin(new NoStorage())
                        .build())
                .build();
    }

    /** Counts claims as they become bound, and lets a thread wait for so many. */
    private static final class Bound implements AutoCloseable {
        private final io.volume4j.spi.host.ClusterSource.Watch watch;
        private long count;
        private long awaited = Long.MAX_VALUE;
        private CountDownLatch reached = new CountDownLatch(0);

        Bound(InMemoryCluster cluster) {
            watch = cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), cluster.revision(), event -> {
                if (event.object() instanceof PersistentVolumeClaim claim
                        && claim.status().phase() == ClaimPhase.BOUND) {
                    arrived();
                }
            });
        }

        private synchronized void arrived() {
            count++;
            if (count >= awaited) {
                reached.countDown();
            }
        }

        void await(long number) throws InterruptedException {
            CountDownLatch latch;
            synchronized (this) {
                if (count >= number) {
                    return;
                }
                awaited = number;
                reached = new CountDownLatch(1);
                latch = reached;
            }
            if (!latch.await(10, TimeUnit.MINUTES)) {
                throw new IllegalStateException(number + " claims should be bound, " + count() + " are");
            }
        }

        synchronized long count() {
            return count;
        }

        @Override
        public void close() {
            watch.close();
        }
    }
}
