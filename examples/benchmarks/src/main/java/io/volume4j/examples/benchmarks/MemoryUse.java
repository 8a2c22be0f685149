package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Meter;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.AttachWorld;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.HandOnCluster;
import io.volume4j.examples.benchmarks.world.NoOpPlugin;
import io.volume4j.examples.benchmarks.world.Things;
import java.nio.file.Files;
import java.nio.file.Path;

/** The heap that the engine needs for what it tracks, the host's own objects apart. */
final class MemoryUse implements Benchmark {
    /** Volumes of a pod, beside pods with one, so that what a pod costs can be told from what its volumes do. */
    private static final int MANY = 10;

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String measures() {
        return "bytes of engine state for each mounted volume of a pod, and for each attachment";
    }

    @Override
    public String warmUp() {
        return "none is needed: bytes are counted after full collections, not time";
    }

    @Override
    public void run(Run run) throws Exception {
        int[] sizes = run.sizes(1_000_000, 20_000);
        Table table = new Table("tracked", "journal", "number", "host's objects", "engine", "engine for each");
        Growth byPair = Growth.ofBytes("bytes for a pair, 10 of a pod", "pairs");
        for (int pairs : sizes) {
            byPair.at(pairs, pairs(run, table, pairs, MANY, false));
        }
        int most = sizes[2];
        double ofMany = pairs(run, table, most, MANY, true);
        pairs(run, table, most, 1, false);
        double ofOne = pairs(run, table, most, 1, true);
        Growth byAttachment = Growth.ofBytes("bytes for an attachment", "attachments");
        for (int attachments : sizes) {
            byAttachment.at(attachments, attachments(table, attachments));
        }
        run.print(table);
        run.note("host's objects: pods, volumes, claims, nodes as their host keeps them, not the library's.");
        run.note(
                "engine: everything that volume manager or controller add, with a copy of the journal where that is in");
        run.note("memory, as it is for tests; on the disk is how nodes run.");
        double pair = (MANY * ofMany - ofOne) / (MANY - 1);
        run.note("so, with the journal on the disk, a pod costs " + Figures.bytes(ofOne - pair)
                + " and each of its volumes " + Figures.bytes(pair) + ".");
        run.growth(byPair);
        run.growth(byAttachment);
    }

    private static double pairs(Run run, Table table, int pairs, int ofPod, boolean onDisk) throws Exception {
        HandOnCluster cluster = new HandOnCluster();
        cluster.apply(Things.node());
        long empty = Meter.liveHeap();
        int pods = Math.max(1, pairs / ofPod);
        for (int i = 0; i < pods; i++) {
            cluster.apply(Things.pod("p" + i, NoOpPlugin.NAME, ofPod));
        }
        long host = Meter.liveHeap();
        Path root = Files.createDirectories(run.scratch().resolve("memory-" + pods + "-" + ofPod + "-" + onDisk));
        try (BenchNode node = BenchNode.build(root, null, !onDisk, cluster, new NoOpPlugin())) {
            node.manager.start();
            node.awaitMounted("p", pods);
            return row(
                    table,
                    "pairs of volume and pod, " + ofPod + " of a pod",
                    onDisk ? "on the disk" : "in memory",
                    pods * ofPod,
                    host - empty,
                    Meter.liveHeap() - host);
        }
    }

    private static double attachments(Table table, int attachments) {
        long empty = Meter.liveHeap();
        AttachWorld world = new AttachWorld(Math.max(1, attachments / AttachWorld.VOLUMES));
        long host = Meter.liveHeap();
        world.start();
        long engine = Meter.liveHeap() - host;
        return row(table, "attachments", "-", world.attachments(), host - empty, engine);
    }

    private static double row(Table table, String what, String journal, int number, long host, long engine) {
        double each = (double) engine / number;
        table.row(
                what, journal, Figures.count(number), Figures.bytes(host), Figures.bytes(engine), Figures.bytes(each));
        return each;
    }
}
