package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Latencies;
import io.volume4j.examples.benchmarks.measure.ProcessorClock;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.AttachWorld;
import java.util.Locale;
import java.util.function.IntConsumer;

/** The cost of the attach/detach controller of a large cluster: for its start, a change, and the loss of a node. */
final class AttachDetach implements Benchmark {
    @Override
    public String name() {
        return "attach-detach";
    }

    @Override
    public String measures() {
        return "attach/detach controller, 100 volumes a node: build, one pod changed, a node's death; processor time";
    }

    @Override
    public String warmUp() {
        return "a cluster of 200 nodes through all of it; then half as many changes as are measured, not counted";
    }

    @Override
    public void run(Run run) throws Exception {
        int[] nodes = run.sizes(10_000, 1_000);
        long needed = 6_000L * nodes[2] * AttachWorld.VOLUMES;
        if (Runtime.getRuntime().maxMemory() < needed) {
            throw new Unable(
                    "needs a heap of " + Figures.bytes(needed) + ": java -Xmx" + (needed >> 30) + "g -jar ...");
        }
        AttachWorld warm = new AttachWorld(200);
        warm.start();
        changes(warm, run.size(20_000, 5_000));
        replaced(warm, run.size(4_000, 1_000));
        warm.idleForTenMinutes();
        cost(AttachWorld.MOST_DEATHS, i -> kill(warm, i));
        Table table = new Table(
                "nodes",
                "attachments",
                "build",
                "by the clock",
                "an attachment",
                "one pod changed",
                "p50 by the clock",
                "p99",
                "one replaced",
                "node's death",
                "by the clock",
                "slowest",
                "idle 10 min");
        Growth build = Growth.ofTime("to build, for an attachment", "nodes");
        Growth change = Growth.ofTime("one pod changed", "nodes");
        Growth death = Growth.ofTime("a node's death", "nodes");
        for (int number : nodes) {
            AttachWorld world = new AttachWorld(number);
            // Collects the garbage from the creation of the objects now, so that the build does not pay for it.
            System.gc();
            Cost built = cost(1, i -> world.start());
            changes(world, run.size(10_000, 2_500));
            Cost changed = changes(world, run.size(20_000, 5_000));
            replaced(world, run.size(2_000, 500));
            Cost replaced = replaced(world, run.size(4_000, 1_000));
            Cost idle = cost(1, i -> world.idleForTenMinutes());
            Cost died = cost(Math.min(AttachWorld.MOST_DEATHS, number), i -> kill(world, i));
            build.at(number, built.processor() / world.attachments());
            change.at(number, changed.processor());
            death.at(number, died.processor());
            table.row(
                    Figures.count(number),
                    Figures.count(world.attachments()),
                    Figures.time(built.processor()),
                    built.clock().p50(),
                    Figures.time(built.processor() / world.attachments()),
                    Figures.time(changed.processor()),
                    changed.clock().p50(),
                    changed.clock().p99(),
                    Figures.time(replaced.processor() / 2),
                    Figures.time(died.processor()),
                    died.clock().p50(),
                    Figures.time(died.clock().at(100)),
                    Figures.time(idle.processor()));
        }
        run.print(table);
        run.note(
                "processor time is of the whole process, collector and compiler included, on the average of all that were made.");
        run.note(String.format(
                Locale.ROOT,
                "one pod has 10 volumes; a death is of a node with %d volumes in use, from the moment at which it is not ready any more"
                        + " until all its detaches are decided.",
                AttachWorld.VOLUMES));
        run.growth(build);
        run.growth(change);
        run.growth(death);
    }

    /** @param processor average time of the whole process for one operation */
    private record Cost(double processor, Latencies clock) {}

    private static Cost cost(int number, IntConsumer one) {
        Latencies clock = new Latencies();
        long processor = ProcessorClock.nanos();
        for (int i = 0; i < number; i++) {
            long began = System.nanoTime();
            one.accept(i);
            clock.record(System.nanoTime() - began);
        }
        return new Cost((double) (ProcessorClock.nanos() - processor) / number, clock);
    }

    private static Cost changes(AttachWorld world, int number) {
        return cost(number, world::changePod);
    }

    private static Cost replaced(AttachWorld world, int number) {
        return cost(number, world::replacePod);
    }

    private static void kill(AttachWorld world, int node) {
        int detaches = world.killNode(node);
        if (detaches != AttachWorld.VOLUMES) {
            throw new IllegalStateException("node " + node + " died, and " + detaches + " are detached");
        }
    }
}
