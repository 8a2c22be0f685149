package io.volume4j.examples.benchmarks;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Effort;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.BenchCluster;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.BindPlugin;
import io.volume4j.examples.benchmarks.world.HandOnCluster;
import io.volume4j.examples.benchmarks.world.Things;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The time that a node needs to recover its mounts without changes: in a new process, and in a warm one. */
final class Restart implements Benchmark {
    /** The command in a new JVM. */
    static final String CHILD = "restart-child";

    /** Marks the child's line in its output, which may have other lines. */
    private static final String MARK = "restart ";

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
        return "none in the fresh processes; two starts before the warm one";
    }

    @Override
    public void run(Run run) throws Exception {
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            if (!machine.abilities().mayMount()) {
                throw new Unable(machine.abilities().reason());
            }
            Table table = new Table(
                    "mounts",
                    "fresh processes, median",
                    "fastest",
                    "slowest",
                    "warm start",
                    "per mount",
                    "plugin's calls");
            Growth growth = Growth.ofTime("warm start", "mounts");
            for (int mounts : run.sizes(10_000, 1_000)) {
                growth.at(mounts, (double) row(run, machine, table, mounts));
            }
            run.print(table);
            run.note("fresh: a JVM of its own that did not make the mounts, on all cores, with " + jvm(run).described()
                    + ";");
            run.note(
                    "its clock begins in main, when it knows its pods. Warm: the third start in the process that made the mounts.");
            run.note("plugin's calls: mounts and unmounts that any of these starts made, wanted: 0.");
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
            List<Start> fresh = new ArrayList<>();
            for (int i = 0; i < run.size(5, 3); i++) {
                fresh.add(Start.of(jvm(run).line(
                                Runtime.getRuntime().availableProcessors(),
                                MARK,
                                List.of(CHILD, root.toString(), String.valueOf(mounts)))));
            }
            fresh.sort(Comparator.comparingLong(Start::nanos));
            start(root, machine, cluster, plugin, mounts);
            start(root, machine, cluster, plugin, mounts);
            long warm = start(root, machine, cluster, plugin, mounts);
            calls = plugin.calls.sum()
                    - calls
                    + fresh.stream().mapToLong(Start::calls).sum();
            table.row(
                    Figures.count(mounts),
                    Figures.time(fresh.get(fresh.size() / 2).nanos()),
                    Figures.time(fresh.get(0).nanos()),
                    Figures.time(fresh.get(fresh.size() - 1).nanos()),
                    Figures.time(warm),
                    Figures.time((double) warm / mounts),
                    Figures.count(calls));
            return warm;
        }
    }

    private static OtherJvm jvm(Run run) {
        return new OtherJvm(run.effort() == Effort.SMOKE ? 128 : 512);
    }

    private record Start(long nanos, long calls) {
        String line() {
            return nanos + " " + calls;
        }

        static Start of(String line) {
            String[] fields = line.split(" ");
            return new Start(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
        }
    }

    /** Runs in a new JVM: gets the pods that the first JVM created and mounted, starts once, and prints one line for the first. */
    @SuppressWarnings("resource") // closing the plugin would remove the mounts of the first JVM
    static int child(List<String> arguments, PrintStream out) throws Exception {
        Path root = Path.of(arguments.get(0));
        int mounts = Integer.parseInt(arguments.get(1));
        BenchCluster cluster = new HandOnCluster();
        cluster.apply(Things.node());
        for (int i = 0; i < mounts; i++) {
            cluster.apply(Things.pod("p" + i, BindPlugin.NAME));
        }
        long began = System.nanoTime();
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            long created = System.nanoTime() - began;
            BindPlugin plugin = new BindPlugin(machine, root);
            long started = start(root, machine, cluster, plugin, mounts);
            out.println(MARK + new Start(created + started, plugin.calls.sum()).line());
        }
        return 0;
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
