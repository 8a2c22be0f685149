package io.volume4j.examples.benchmarks;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import io.volume4j.spi.model.Pod;

/** The heap that the engine needs for what it tracks, the host's own objects apart. */
final class MemoryUse implements Benchmark {
    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String measures() {
        return "bytes of engine state for each mounted volume of a pod";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table("pairs", "host's objects", "engine", "engine per pair");
        int most = run.size(1_000_000, 100_000);
        for (int pairs : new int[] {most / 100, most / 10, most}) {
            InMemoryCluster cluster = InMemoryCluster.create();
            cluster.apply(Things.node());
            long empty = Meter.liveHeap();
            for (int i = 0; i < pairs; i++) {
                Pod pod = Things.pod("p" + i, NoOpPlugin.NAME);
                cluster.apply(pod);
            }
            long host = Meter.liveHeap();
            try (BenchNode node =
                    BenchNode.build(run.scratch().resolve("memory-" + pairs), null, true, cluster, new NoOpPlugin())) {
                node.manager.start();
                for (int i = 0; i < pairs; i++) {
                    BenchNode.await(node.manager.whenMounted(Things.uid("p" + i)));
                }
                long engine = Meter.liveHeap() - host;
                table.row(
                        Figures.count(pairs),
                        Figures.bytes(host - empty),
                        Figures.bytes(engine),
                        Figures.bytes((double) engine / pairs));
            }
        }
        run.print(table);
        run.note("engine: everything that the volume manager adds, its copy of the journal in memory included.");
    }
}
