package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Latencies;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.AttachWorld;
import java.util.Locale;

/** What the attach/detach controller of a large cluster costs: to begin, to hear of a change, to lose a node. */
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
        AttachWorld warm = new AttachWorld(run.size(200, 200));
        warm.start();
        changes(warm, run.size(20_000, 5_000));
        Table table = new Table(
                "nodes",
                "attachments",
                "build",
                "an attachment",
                "one pod changed",
                "p99",
                "one pod replaced",
                "node's death",
                "idle 10 min");
        Growth build = Growth.ofTime("to build, for an attachment", "nodes");
        Growth change = Growth.ofTime("one pod changed", "nodes");
        Growth death = Growth.ofTime("a node's death", "nodes");
        for (int number : nodes) {
            AttachWorld world = new AttachWorld(number);
            long built = world.start();
            changes(world, run.size(10_000, 2_500));
            Latencies changes = changes(world, run.size(20_000, 5_000));
            Latencies replaced = replaced(world, run.size(4_000, 1_000));
            long idle = world.idleForTenMinutes();
            Latencies deaths = new Latencies();
            for (int i = 0; i < Math.min(AttachWorld.MOST_DEATHS, number); i++) {
                AttachWorld.Death one = world.killNode(i);
                if (one.detaches() != AttachWorld.VOLUMES) {
                    throw new IllegalStateException("node " + i + " died, and " + one.detaches() + " are detached");
                }
                deaths.record(one.nanos());
            }
            build.at(number, (double) built / world.attachments());
            change.at(number, changes.at(50));
            death.at(number, deaths.at(50));
            table.row(
                    Figures.count(number),
                    Figures.count(world.attachments()),
                    Figures.time(built),
                    Figures.time((double) built / world.attachments()),
                    changes.p50(),
                    changes.p99(),
                    replaced.p50(),
                    deaths.p50(),
                    Figures.time(idle));
        }
        run.print(table);
        run.note(String.format(
                Locale.ROOT,
                "one pod has 10 volumes; a death is of a node with %d volumes in use, until all its detaches are decided.",
                AttachWorld.VOLUMES));
        run.growth(build);
        run.growth(change);
        run.growth(death);
    }

    private static Latencies replaced(AttachWorld world, int number) {
        Latencies latencies = new Latencies();
        for (int i = -number / 2; i < number; i++) {
            long took = world.replacePod(Math.abs(i));
            if (i >= 0) {
                latencies.record(took);
            }
        }
        return latencies;
    }

    private static Latencies changes(AttachWorld world, int number) {
        Latencies latencies = new Latencies();
        for (int i = 0; i < number; i++) {
            latencies.record(world.changePod(i));
        }
        return latencies;
    }
}
