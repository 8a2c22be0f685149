package io.volume4j.examples.benchmarks;

import io.volume4j.inmemory.cluster.InMemoryCluster;

/** The heap that the engine needs for what it tracks, the host's own objects apart. */
final class MemoryUse implements Benchmark {
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
        Table table = new Table("tracked", "number", "host's objects", "engine", "engine for each");
        Growth byPair = Growth.ofBytes("bytes for a pair of volume and pod", "pairs");
        for (int pairs : sizes) {
            byPair.at(pairs, pairs(run, table, pairs));
        }
        Growth byAttachment = Growth.ofBytes("bytes for an attachment", "attachments");
        for (int attachments : sizes) {
            byAttachment.at(attachments, attachments(table, attachments));
        }
        run.print(table);
        run.note(
                "host's objects: pods, volumes, claims, nodes as the cluster in memory keeps them, not the library's.");
        run.note("engine: everything that volume manager or controller add, a copy of the journal in memory included.");
        run.growth(byPair);
        run.growth(byAttachment);
    }

    private static double pairs(Run run, Table table, int pairs) throws Exception {
        InMemoryCluster cluster = InMemoryCluster.create();
        cluster.apply(Things.node());
        long empty = Meter.liveHeap();
        for (int i = 0; i < pairs; i++) {
            cluster.apply(Things.pod("p" + i, NoOpPlugin.NAME));
        }
        long host = Meter.liveHeap();
        try (BenchNode node =
                BenchNode.build(run.scratch().resolve("memory-" + pairs), null, true, cluster, new NoOpPlugin())) {
            node.manager.start();
            for (int i = 0; i < pairs; i++) {
                BenchNode.await(node.manager.whenMounted(Things.uid("p" + i)));
            }
            return row(table, "pairs of volume and pod", pairs, host - empty, Meter.liveHeap() - host);
        }
    }

    private static double attachments(Table table, int attachments) {
        long empty = Meter.liveHeap();
        AttachWorld world = new AttachWorld(Math.max(1, attachments / AttachWorld.VOLUMES));
        long host = Meter.liveHeap();
        world.start();
        long engine = Meter.liveHeap() - host;
        return row(table, "attachments", world.attachments(), host - empty, engine);
    }

    private static double row(Table table, String what, int number, long host, long engine) {
        double each = (double) engine / number;
        table.row(what, Figures.count(number), Figures.bytes(host), Figures.bytes(engine), Figures.bytes(each));
        return each;
    }
}
