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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Whether volumes with hung storage slow the others down. */
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
        return "the first fifth of the turns, not counted; all nodes stand at once, and take turns of some pods each";
    }

    @Override
    public void run(Run run) throws Exception {
        List<Beside> nodes = new ArrayList<>();
        try {
            for (int hung : new int[] {0, 0, 1, 10, 100}) {
                nodes.add(new Beside(run.scratch().resolve("node-" + nodes.size()), hung));
            }
            int turns = run.size(200, 20);
            for (int turn = -turns / 5; turn < turns; turn++) {
                for (int i = 0; i < nodes.size(); i++) {
                    // Each is equally often the first.
                    nodes.get(Math.floorMod(i + turn, nodes.size())).comeAndGo(turn, run.size(100, 60), turn >= 0);
                }
            }
            nodes.forEach(Beside::end);
        } finally {
            nodes.forEach(Beside::end);
        }
        print(run, nodes);
    }

    private static void print(Run run, List<Beside> nodes) {
        Table table = new Table(
                "hung volumes", "samples", "p50", "p99", "p50 to none hung", "p99 to none hung", "threads", "close");
        Growth growth = Growth.ofTime("p99 of healthy volumes", "hung volumes");
        Latencies none = nodes.get(0).latencies;
        for (Beside node : nodes) {
            if (node.hung > 0) {
                growth.at(node.hung, node.latencies.at(99));
            }
            table.row(
                    Figures.count(node.hung),
                    Figures.count(node.latencies.count()),
                    node.latencies.p50(),
                    node.latencies.p99(),
                    Figures.ratio(node.latencies.at(50) / none.at(50)),
                    Figures.ratio(node.latencies.at(99) / none.at(99)),
                    Figures.count(node.threads),
                    Figures.time(node.closing));
        }
        run.print(table);
        run.note(
                "the second row is the first one again: what differs between the two is chance. Threads: those that hung calls keep.");
        Beside most = nodes.get(nodes.size() - 1);
        run.compared(
                "p99 of healthy volumes beside " + most.hung + " hung",
                most.latencies.at(99),
                "none hung",
                none.at(99));
        run.growth(growth);
    }

    /** A node with hung volumes, on which healthy ones are mounted and unmounted. */
    private static final class Beside {
        private final int hung;
        private final Mute mute = new Mute();
        private final BenchNode node;
        private final Latencies latencies = new Latencies();
        private int threads;
        private long closing;

        Beside(Path root, int hung) {
            this.hung = hung;
            this.node = BenchNode.inMemory(root, new NoOpPlugin(), mute);
            for (int i = 0; i < hung; i++) {
                node.cluster.apply(Things.pod("hung-" + i, MUTE));
            }
        }

        void comeAndGo(int turn, int pods, boolean counts) throws Exception {
            for (int i = 0; i < pods; i++) {
                String name = "healthy-" + turn + "-" + i;
                long added = System.nanoTime();
                CompletableFuture<MountedPod> mounted = node.add(Things.pod(name, NoOpPlugin.NAME));
                long took = mounted.thenApply(ignored -> System.nanoTime()).get(1, TimeUnit.MINUTES) - added;
                if (counts) {
                    latencies.record(took);
                }
                BenchNode.await(node.remove(name));
            }
        }

        /** Closes the node while its calls hang, and then releases them. Idempotent. */
        void end() {
            if (closing > 0) {
                return;
            }
            threads = mute.waiting.get();
            long began = System.nanoTime();
            node.close();
            closing = System.nanoTime() - began;
            mute.answer.countDown();
        }
    }

    /** Never answers until the end of the measurement, not even after an interrupt. */
    private static final class Mute extends NoOpPlugin {
        private final CountDownLatch answer = new CountDownLatch(1);
        private final AtomicInteger waiting = new AtomicInteger();

        @Override
        public String name() {
            return MUTE;
        }

        @Override
        public MountResult mount(MountRequest request, CallContext context) {
            waiting.incrementAndGet();
            boolean answered = false;
            while (!answered) {
                try {
                    answer.await();
                    answered = true;
                } catch (InterruptedException ignored) {
                    // Like a thread in an uninterruptible sleep.
                }
            }
            return super.mount(request, context);
        }
    }
}
