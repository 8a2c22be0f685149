package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Meter;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.measure.ThreadsTime;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.NoOpPlugin;
import java.util.concurrent.TimeUnit;

/** What mounted volumes cost while nothing changes. */
final class IdleCost implements Benchmark {
    /** How the names of the library's threads begin. */
    private static final String OURS = "volume-";

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String measures() {
        return "CPU and allocation while mounted volumes do not change";
    }

    @Override
    public String warmUp() {
        return "the mounts themselves, a full collection, then a pause without work";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table("volumes", "watched for", "CPU per minute", "of one core", "of it ours", "allocated/s");
        Growth growth = new Growth("CPU per minute", "volumes", Figures::time);
        double none = 0;
        long watched = run.nanos(30, 2);
        int[] sizes = run.sizes(100_000, 10_000);
        for (int volumes : new int[] {0, sizes[0], sizes[1], sizes[2]}) {
            try (BenchNode node = BenchNode.inMemory(run.scratch().resolve("idle-" + volumes), new NoOpPlugin())) {
                node.fill("idle-", NoOpPlugin.NAME, volumes);
                System.gc();
                TimeUnit.NANOSECONDS.sleep(run.nanos(5, 0.5));
                ThreadsTime ours = ThreadsTime.of(OURS);
                Meter meter = Meter.start();
                TimeUnit.NANOSECONDS.sleep(watched);
                Meter.Reading used = meter.stop();
                long ofOurs = ThreadsTime.of(OURS).since(ours);
                double share = (double) used.cpuNanos() / used.wallNanos();
                double perMinute = share * TimeUnit.MINUTES.toNanos(1);
                if (volumes == 0) {
                    none = perMinute;
                } else {
                    growth.at(volumes, perMinute);
                }
                if (volumes == sizes[2]) {
                    run.compared(
                            "CPU per minute, " + Figures.count(volumes) + " volumes", perMinute, "no volumes", none);
                }
                table.row(
                        Figures.count(volumes),
                        Figures.time(watched),
                        Figures.time(perMinute),
                        Figures.percent(share),
                        Figures.percent((double) ofOurs / used.wallNanos()),
                        Figures.bytes(used.allocatedBytes() * 1e9 / used.wallNanos()) + "/s");
            }
        }
        run.print(table);
        run.note(
                "the whole process, JVM included: the row of 0 volumes is what the JVM and the meter use by themselves; ours: the"
                        + " library's threads alone, by their own clocks.");
        run.growth(growth);
    }
}
