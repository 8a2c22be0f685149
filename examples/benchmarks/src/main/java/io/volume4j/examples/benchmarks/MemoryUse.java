package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.StableHeap;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.AttachWorld;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.HandOnCluster;
import io.volume4j.examples.benchmarks.world.NoOpPlugin;
import io.volume4j.examples.benchmarks.world.Things;
import io.volume4j.inmemory.scale.LiveHeap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The heap that the engine needs for its state, without the host's own objects. */
final class MemoryUse implements Benchmark {
    /** The package of the engine's classes. */
    private static final String ENGINE = "io.volume4j.core";

    /**
     * The number of volumes of a pod, compared with pods with one, to separate the cost of a pod from that of its
     * volumes.
     */
    private static final int MANY = 10;

    private static final int WARM_UP = 100;
    /** Bytes that the rest of the JVM may free meanwhile, such as those of another benchmark. */
    private static final long REST_OF_JVM = 1 << 20;

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
        return "one of each engine that is not counted, so that classes are loaded; bytes are counted, not time";
    }

    @Override
    public void run(Run run) throws Exception {
        int[] sizes = run.sizes(1_000_000, 20_000);
        Table table = new Table(
                "tracked",
                "journal",
                "number",
                "host's objects",
                "engine",
                "for each",
                "least",
                "greatest",
                "in classes of ours");
        for (boolean onDisk : new boolean[] {false, true}) {
            pairs(run, new Table(), WARM_UP, 1, onDisk);
        }
        attachments(run, new Table(), WARM_UP);
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
            byAttachment.at(attachments, attachments(run, table, attachments));
        }
        run.print(table);
        run.note("host's objects: pods, volumes, claims, nodes as their host keeps them, not the library's.");
        run.note(
                "engine: what is reachable more once volume manager or controller run, with a copy of the journal where that is in");
        run.note("memory, as it is for tests; on the disk is how nodes run. The median of " + rounds(run)
                + " engines over the same");
        run.note("objects, with the least and the greatest; counted object by object, after full collections.");
        run.note("in classes of ours: of each, what is in objects of " + ENGINE
                + " and below, by itself and without a baseline.");
        double pair = (MANY * ofMany - ofOne) / (MANY - 1);
        run.note("so, with the journal on the disk, a pod costs " + Figures.bytes(ofOne - pair)
                + " and each of its volumes " + Figures.bytes(pair) + ".");
        run.growth(byPair);
        run.growth(byAttachment);
    }

    private static int rounds(Run run) {
        return run.size(3, 2);
    }

    private static double pairs(Run run, Table table, int pairs, int ofPod, boolean onDisk) throws Exception {
        HandOnCluster cluster = new HandOnCluster();
        cluster.apply(Things.node());
        LiveHeap empty = StableHeap.now(ENGINE);
        int pods = Math.max(1, pairs / ofPod);
        for (int i = 0; i < pods; i++) {
            cluster.apply(Things.pod("p" + i, NoOpPlugin.NAME, ofPod));
        }
        LiveHeap host = StableHeap.now(ENGINE).since(empty);
        List<LiveHeap> engines = new ArrayList<>();
        for (int round = 0; round < rounds(run); round++) {
            Path root = run.scratch().resolve("memory-" + pods + "-" + ofPod + "-" + onDisk + "-" + round);
            engines.add(engine(Files.createDirectories(root), cluster, onDisk, pods));
        }
        return row(
                table,
                "pairs of volume and pod, " + ofPod + " of a pod",
                onDisk ? "on the disk" : "in memory",
                pods * ofPod,
                host,
                engines);
    }

    /** A separate method, because otherwise the stack would still reference the engine of the round before. */
    private static LiveHeap engine(Path root, HandOnCluster cluster, boolean onDisk, int pods) throws Exception {
        LiveHeap before = StableHeap.now(ENGINE);
        try (BenchNode node = BenchNode.build(root, null, !onDisk, cluster, new NoOpPlugin())) {
            node.manager.start();
            node.awaitMounted("p", pods);
            return StableHeap.now(ENGINE).since(before);
        }
    }

    private static double attachments(Run run, Table table, int attachments) throws InterruptedException {
        int nodes = Math.max(1, attachments / AttachWorld.VOLUMES);
        List<LiveHeap> hosts = new ArrayList<>();
        List<LiveHeap> engines = new ArrayList<>();
        for (int round = 0; round < rounds(run); round++) {
            controller(nodes, hosts, engines);
        }
        return row(table, "attachments", "-", nodes * AttachWorld.VOLUMES, hosts.get(0), engines);
    }

    private static void controller(int nodes, List<LiveHeap> hosts, List<LiveHeap> engines)
            throws InterruptedException {
        LiveHeap empty = StableHeap.now(ENGINE);
        AttachWorld world = new AttachWorld(nodes);
        LiveHeap before = StableHeap.now(ENGINE);
        hosts.add(before.since(empty));
        world.start();
        engines.add(StableHeap.now(ENGINE).since(before));
    }

    private static double row(
            Table table, String what, String journal, int number, LiveHeap host, List<LiveHeap> engines) {
        engines.sort(Comparator.comparingLong(LiveHeap::bytes));
        LiveHeap median = engines.get(engines.size() / 2);
        if (Math.min(host.bytes(), engines.get(0).bytes()) < -REST_OF_JVM) {
            throw new IllegalStateException("something else became unreachable meanwhile: " + host + ", " + engines);
        }
        double each = (double) median.bytes() / number;
        table.row(
                what,
                journal,
                Figures.count(number),
                host.bytes() < 0 ? "too few to tell" : Figures.bytes(host.bytes()),
                Figures.bytes(median.bytes()),
                Figures.bytes(each),
                Figures.bytes((double) engines.get(0).bytes() / number),
                Figures.bytes((double) engines.get(engines.size() - 1).bytes() / number),
                Figures.bytes((double) median.ours() / number));
        return each;
    }
}
