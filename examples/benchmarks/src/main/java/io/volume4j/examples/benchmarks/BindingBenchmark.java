package io.volume4j.examples.benchmarks;

import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Latencies;
import io.volume4j.examples.benchmarks.measure.ProcessTime;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.measure.ThreadsTime;
import io.volume4j.examples.benchmarks.world.NoStorage;
import io.volume4j.examples.benchmarks.world.Population;
import io.volume4j.examples.benchmarks.world.TimedCluster;
import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.ClaimPhase;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.PersistentVolumeClaim;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Claims and volumes on an in-memory cluster, with the controller's own threads. Measures many claims at once, single claims in a
 * full cluster, and claims that a plugin without storage provisions.
 */
final class BindingBenchmark implements Benchmark {
    /** Rounds until the compiler has finished; before, it uses a whole processor. */
    private static final int WARM_UP = 4;

    /** One idle claim for this many claims in a row. */
    private static final int ALONE = 5;

    /** Prefix of the names of the controller's threads. */
    private static final String THREADS = "binding-";

    /** Longer than any thread waits before it sleeps. */
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

    @Override
    public String name() {
        return "binding";
    }

    @Override
    public String measures() {
        return "claims bound to as many volumes, one more claim at that size, and claims provisioned";
    }

    @Override
    public String warmUp() {
        return "whole rounds of 20,000 claims, four of them in a full run and one in a quick one";
    }

    /**
     * The time until all were bound.
     *
     * @param bound claims at the end
     * @param wall nanoseconds for a claim, by the clock
     * @param processor nanoseconds for a claim, on all processors together
     * @param one latency of a single claim directly after another: from the event for the controller until the cluster shows it
     *     bound
     * @param alone the same for claims when all threads sleep
     * @param own average processor nanoseconds of the controller's threads for a single claim directly after another, without the
     *     cluster's work in writes
     */
    record Measured(long bound, double wall, double processor, More one, More alone, double own) {}

    /** @param withoutWrites without the time of the cluster's writes; notifying the controller of them is part of the time */
    record More(Latencies all, Latencies withoutWrites) {
        More() {
            this(new Latencies(), new Latencies());
        }
    }

    @Override
    public void run(Run run) throws InterruptedException {
        int more = run.size(2_000, 500);
        for (int round = 0; round < run.size(WARM_UP, 1); round++) {
            bind(run.size(20_000, 10_000), more);
            provision(run.size(5_000, 2_000));
        }
        Table table = new Table(
                "what",
                "claims",
                "all",
                "a claim",
                "CPU a claim",
                "one more p50",
                "p99",
                "no writes p50",
                "p99",
                "alone, no writes p50",
                "one more, own CPU");
        Growth growth = Growth.ofTime("to bind a claim", "claims and volumes");
        Growth one = Growth.ofTime("to bind one more claim, p50", "claims and volumes");
        for (int size : run.sizes(100_000, 20_000)) {
            Measured bind = bind(size, more);
            growth.at(size, bind.wall());
            one.at(size, bind.one().all().at(50));
            row(table, "bound to as many volumes", size, bind);
        }
        Growth provisioning = Growth.ofTime("to provision a claim", "claims");
        for (int size : run.sizes(10_000, 5_000)) {
            Measured made = provision(size);
            provisioning.at(size, made.wall());
            row(table, "provisioned", size, made);
        }
        run.print(table);
        run.note(
                "one more: from when the controller is told of a claim until the cluster shows it bound, right after the one before;"
                        + " alone: after a pause in which all threads fall asleep.");
        run.note(
                "own CPU: processor time that one more claim takes of the controller's loop and workers, without what the cluster"
                        + " takes for the writes, on the average: what is left of the clock's is threads that wake up.");
        run.note(
                "the cluster in memory is part of all columns but those without writes: it keeps every object as a manifest.");
        run.growth(growth);
        run.growth(one);
        run.growth(provisioning);
    }

    private static void row(Table table, String what, int claims, Measured measured) {
        boolean later = measured.one().all().count() > 0;
        table.row(
                what,
                Figures.count(claims),
                Figures.time(measured.wall() * claims),
                Figures.time(measured.wall()),
                Figures.time(measured.processor()),
                later ? measured.one().all().p50() : "",
                later ? measured.one().all().p99() : "",
                later ? measured.one().withoutWrites().p50() : "",
                later ? measured.one().withoutWrites().p99() : "",
                later ? measured.alone().withoutWrites().p50() : "",
                later ? Figures.time(measured.own()) : "");
    }

    /** Binds this many claims to as many volumes, then single claims one after the other. */
    Measured bind(int claims, int more) throws InterruptedException {
        InMemoryCluster cluster = InMemoryCluster.builder().rememberedWrites(1).build();
        Population population = new Population(cluster);
        population.classes();
        int alone = more / ALONE;
        population.volumes(claims + 2 * more + alone);
        population.claims(0, claims);
        TimedCluster timed = new TimedCluster(cluster);
        try (PersistentVolumeController controller = controller(timed);
                Bound bound = new Bound(cluster, timed)) {
            ProcessTime began = withoutGarbage();
            controller.start();
            bound.await(claims);
            ProcessTime took = ProcessTime.now().since(began);
            More one = new More();
            for (int i = 0; i < more; i++) {
                oneMore(claims + i, population, timed, bound, one);
            }
            More single = new More();
            for (int i = 0; i < alone; i++) {
                LockSupport.parkNanos(PAUSE);
                oneMore(claims + more + i, population, timed, bound, single);
            }
            int until = claims + more + alone;
            double own = ownProcessor(until, until + more, population, timed, bound);
            return new Measured(
                    bound.count(), (double) took.wall() / claims, (double) took.processor() / claims, one, single, own);
        }
    }

    private static void oneMore(int number, Population population, TimedCluster timed, Bound bound, More more)
            throws InterruptedException {
        PersistentVolumeClaim claim = population.claim(number);
        timed.expect(claim.key());
        population.store(claim);
        Bound.Moment shown = bound.await(number + 1);
        long total = shown.at() - timed.told();
        more.all().record(total);
        more.withoutWrites().record(total - shown.cluster());
    }

    /** Processor time of the controller's threads for each of these claims, without the cluster's own work. */
    private static double ownProcessor(int from, int to, Population population, TimedCluster timed, Bound bound)
            throws InterruptedException {
        double look = ThreadsTime.costOfALook();
        LockSupport.parkNanos(PAUSE);
        timed.countProcessor();
        ThreadsTime began = ThreadsTime.of(THREADS);
        for (int i = from; i < to; i++) {
            population.store(population.claim(i));
            bound.await(i + 1);
        }
        LockSupport.parkNanos(PAUSE);
        double all = ThreadsTime.of(THREADS).since(began);
        // A stretch includes one of its two clock reads, and all reads are on the controller's threads.
        return Math.max(0, (all - timed.nanos() - timed.looks() / 2.0 * look) / (to - from));
    }

    /** Provisions a volume for each of this many claims with a plugin that does nothing. */
    Measured provision(int claims) throws InterruptedException {
        InMemoryCluster cluster = InMemoryCluster.builder().rememberedWrites(1).build();
        Population population = new Population(cluster);
        population.classes();
        population.provisionedClaims(claims);
        TimedCluster timed = new TimedCluster(cluster);
        try (PersistentVolumeController controller = controller(timed);
                Bound bound = new Bound(cluster, timed)) {
            ProcessTime began = withoutGarbage();
            controller.start();
            bound.await(claims);
            ProcessTime took = ProcessTime.now().since(began);
            return new Measured(
                    bound.count(),
                    (double) took.wall() / claims,
                    (double) took.processor() / claims,
                    new More(),
                    new More(),
                    0);
        }
    }

    /**
     * Collects the garbage from the creation of the objects, and begins to measure. Otherwise a collection of half a second falls
     * into the measured time or not, by the bytes that were allocated before.
     */
    private static ProcessTime withoutGarbage() {
        System.gc();
        return ProcessTime.now();
    }

    private static PersistentVolumeController controller(TimedCluster timed) {
        return PersistentVolumeController.builder()
                .cluster(timed, timed)
                .plugins(PluginRegistry.builder(InMemoryPluginHost.named("").build())
                        .plugin(new NoStorage())
                        .build())
                .build();
    }

    /** Counts bound claims, and lets a thread wait for a number of them. */
    private static final class Bound implements AutoCloseable {
        private final io.volume4j.spi.host.ClusterSource.Watch watch;
        private final TimedCluster timed;
        private long count;
        private long awaited = Long.MAX_VALUE;
        private Moment latest = new Moment(0, 0);
        private CountDownLatch reached = new CountDownLatch(0);

        /**
         * The time at which a claim was shown as bound, on the writing thread: excludes the time to wake the measuring thread.
         *
         * @param cluster nanoseconds that the cluster had used until then
         */
        record Moment(long at, long cluster) {}

        Bound(InMemoryCluster cluster, TimedCluster timed) {
            this.timed = timed;
            watch = cluster.watch(Kind.PERSISTENT_VOLUME_CLAIM, Selection.all(), cluster.revision(), event -> {
                if (event.object() instanceof PersistentVolumeClaim claim
                        && claim.status().phase() == ClaimPhase.BOUND) {
                    arrived();
                }
            });
        }

        private synchronized void arrived() {
            count++;
            latest = new Moment(System.nanoTime(), timed.nanos());
            if (count >= awaited) {
                reached.countDown();
            }
        }

        /** The time at which the last claim was bound. */
        Moment await(long number) throws InterruptedException {
            CountDownLatch latch;
            synchronized (this) {
                if (count >= number) {
                    return latest;
                }
                awaited = number;
                reached = new CountDownLatch(1);
                latch = reached;
            }
            if (!latch.await(10, TimeUnit.MINUTES)) {
                throw new IllegalStateException(number + " claims should be bound, " + count() + " are");
            }
            synchronized (this) {
                return latest;
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
