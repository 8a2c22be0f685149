package io.volume4j.examples.benchmarks;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.BenchCluster;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.BindPlugin;
import io.volume4j.examples.benchmarks.world.HandOnCluster;
import io.volume4j.examples.benchmarks.world.Things;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** How long a node needs to find its mounts again, when nothing has changed. */
final class Restart implements Benchmark {
    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String measures() {
        return "start until every pod is known to be mounted again, from journal and real bind mounts";
    }

    @Override
    public String warmUp() {
        return "two starts before the warm one; the first start is shown as well";
    }

    @Override
    public void run(Run run) throws Exception {
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            if (!machine.abilities().mayMount()) {
                throw new Unable(machine.abilities().reason());
            }
            Table table = new Table("mounts", "first start", "warm start", "per mount", "calls of the plugin");
            Growth growth = Growth.ofTime("warm start", "mounts");
            for (int mounts : run.sizes(10_000, 1_000)) {
                growth.at(mounts, (double) row(run, machine, table, mounts));
            }
            run.print(table);
            run.note(
                    "warm: the third start in one process; calls: mounts and unmounts that these starts made, wanted: 0.");
            run.growth(growth);
        }
    }

    private static long row(Run run, LinuxMountBackend machine, Table table, int mounts) throws Exception {
        Path root = Files.createDirectories(run.scratch().resolve(String.format(Locale.ROOT, "restart-%d", mounts)));
        BenchCluster cluster = new HandOnCluster();
        cluster.apply(Things.node());
        try (BindPlugin plugin = new BindPlugin(machine, root)) {
            plugin.prepare();
            try (BenchNode node = BenchNode.build(root, machine, false, cluster, plugin)) {
                node.manager.start();
                node.fill("p", BindPlugin.NAME, mounts);
            }
            long calls = plugin.calls.sum();
            long first = start(root, machine, cluster, plugin, mounts);
            start(root, machine, cluster, plugin, mounts);
            long warm = start(root, machine, cluster, plugin, mounts);
            table.row(
                    Figures.count(mounts),
                    Figures.time(first),
                    Figures.time(warm),
                    Figures.time((double) warm / mounts),
                    Figures.count(plugin.calls.sum() - calls));
            return warm;
        }
    }

    private static long start(Path root, LinuxMountBackend machine, BenchCluster cluster, BindPlugin plugin, int mounts)
            throws Exception {
        long began = System.nanoTime();
        try (BenchNode node = BenchNode.build(root, machine, false, cluster, plugin)) {
            node.manager.start();
            node.awaitMounted("p", mounts);
            return System.nanoTime() - began;
        }
    }
}
