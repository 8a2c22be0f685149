package io.volume4j.examples.benchmarks;

import java.util.concurrent.TimeUnit;

/** What mounted volumes cost while nothing changes. */
final class IdleCost implements Benchmark {
    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String measures() {
        return "CPU and allocation while mounted volumes do not change";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table("volumes", "watched for", "CPU per minute", "of one core", "allocated/s");
        long watched = run.size(60, 10);
        for (int volumes : new int[] {0, 1_000, 10_000, 100_000}) {
            try (BenchNode node = BenchNode.inMemory(run.scratch().resolve("idle-" + volumes), new NoOpPlugin())) {
                node.fill("idle-", NoOpPlugin.NAME, volumes);
                Meter.liveHeap();
                TimeUnit.SECONDS.sleep(run.size(5, 2));
                Meter meter = Meter.start();
                TimeUnit.SECONDS.sleep(watched);
                Meter.Reading used = meter.stop();
                double share = (double) used.cpuNanos() / used.wallNanos();
                table.row(
                        Figures.count(volumes),
                        watched + " s",
                        Figures.time(share * TimeUnit.MINUTES.toNanos(1)),
                        Figures.percent(share),
                        Figures.bytes(used.allocatedBytes() * 1e9 / used.wallNanos()) + "/s");
            }
        }
        run.print(table);
        run.note(
                "the whole process, JVM included: the row of 0 volumes is what the JVM and the meter use by themselves.");
    }
}
