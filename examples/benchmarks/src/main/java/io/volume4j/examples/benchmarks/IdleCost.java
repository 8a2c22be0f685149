package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Meter;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.measure.TaskTimes;
import io.volume4j.examples.benchmarks.measure.TaskTimes.Owner;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.NoOpPlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The cost of mounted volumes without changes. */
final class IdleCost implements Benchmark {
    /** Most other threads that the table names. */
    private static final int NAMED = 6;

    private static final int MOST_PAUSES = 20;
    /** The compiler has finished when it uses less than one part in this many of the time. */
    private static final int COMPILER_RESTS = 1_000;

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
        return "the mounts themselves, a full collection, then pauses without work until the compiler rests";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table(
                "volumes",
                "watched for",
                "CPU per minute",
                "library",
                "compiler",
                "collector",
                "VM",
                "others",
                "process of one core",
                "library",
                "allocated/s");
        Growth growth = new Growth("CPU per minute", "volumes", Figures::time);
        Growth libraryGrowth = new Growth("the library's CPU per minute", "volumes", Figures::time);
        double none = 0;
        String rest = "";
        long watched = run.nanos(30, 2);
        int[] sizes = run.sizes(100_000, 10_000);
        for (int volumes : new int[] {0, sizes[0], sizes[1], sizes[2]}) {
            try (BenchNode node = BenchNode.inMemory(run.scratch().resolve("idle-" + volumes), new NoOpPlugin())) {
                node.fill("idle-", NoOpPlugin.NAME, volumes);
                System.gc();
                untilCompiled(run.nanos(5, 0.5));
                TaskTimes before = TaskTimes.now();
                Meter meter = Meter.start();
                TimeUnit.NANOSECONDS.sleep(watched);
                Meter.Reading used = meter.stop();
                Map<String, Long> byName = TaskTimes.now().since(before);
                double toMinute = (double) TimeUnit.MINUTES.toNanos(1) / used.wallNanos();
                long library = TaskTimes.of(Owner.LIBRARY, byName);
                double share = (double) used.cpuNanos() / used.wallNanos();
                double perMinute = share * TimeUnit.MINUTES.toNanos(1);
                if (volumes == 0) {
                    none = perMinute;
                } else {
                    growth.at(volumes, perMinute);
                    libraryGrowth.at(volumes, toMinute * library);
                }
                if (volumes == sizes[2]) {
                    run.compared(
                            "CPU per minute, " + Figures.count(volumes) + " volumes", perMinute, "no volumes", none);
                    rest = rest(byName, toMinute);
                }
                List<String> row = new ArrayList<>(
                        List.of(Figures.count(volumes), Figures.time(watched), Figures.time(perMinute)));
                for (Owner owner : Owner.values()) {
                    row.add(Figures.time(toMinute * TaskTimes.of(owner, byName)));
                }
                row.add(Figures.percent(share));
                row.add(Figures.percent((double) library / used.wallNanos()));
                row.add(Figures.bytes(used.allocatedBytes() * 1e9 / used.wallNanos()) + "/s");
                table.row(row.toArray(String[]::new));
            }
        }
        run.print(table);
        run.note(
                "CPU per minute is of the whole process, and the columns up to others are its parts by the kernel's count of each thread;");
        run.note(
                "VM: the JVM's own threads besides compiler and collector; others: main, which measures, and what has ended.");
        run.note("the rest beside " + Figures.count(sizes[2]) + " volumes, a minute: " + rest);
        run.growth(growth);
        run.growth(libraryGrowth);
    }

    /** Waits until the compiler has finished the work from the mounts, within a limit. */
    private static void untilCompiled(long pause) throws InterruptedException {
        long took = Long.MAX_VALUE;
        for (int i = 0; i < MOST_PAUSES && took > pause / COMPILER_RESTS; i++) {
            TaskTimes before = TaskTimes.now();
            TimeUnit.NANOSECONDS.sleep(pause);
            took = TaskTimes.of(Owner.COMPILER, TaskTimes.now().since(before));
        }
    }

    /** The other threads with the most time, by name. */
    private static String rest(Map<String, Long> byName, double toMinute) {
        return byName.entrySet().stream()
                .filter(each -> Owner.of(each.getKey()) != Owner.LIBRARY && each.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(NAMED)
                .map(each -> each.getKey() + " " + Figures.time(toMinute * each.getValue()))
                .collect(Collectors.joining(", "));
    }
}
