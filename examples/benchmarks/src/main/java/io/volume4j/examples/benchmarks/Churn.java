package io.volume4j.examples.benchmarks;

import io.volume4j.inmemory.cluster.InMemoryCluster;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** How many steps a second go through the whole engine: pods come, get their volumes, and go, over and over. */
final class Churn implements Benchmark {
    /** What the command is told in the JVM on fewer cores. */
    static final String CHILD = "churn-child";

    private static final int VOLUMES = 10;

    @Override
    public String name() {
        return "churn";
    }

    @Override
    public String measures() {
        return "mount+unmount cycles/s through the whole engine, no-op plugin, pods of 10 volumes";
    }

    @Override
    public String warmUp() {
        return "the same cycles for half as long, in the same process";
    }

    @Override
    public void run(Run run) throws Exception {
        Table table = new Table(
                "journal", "cores", "pods at once", "cycles", "cycles/s", "steps/s", "CPU/step", "bytes/step");
        Growth growth = Growth.ofTime("processor time a step", "pods at once");
        for (int pods : run.sizes(1_000, 1_000)) {
            Rate rate = inMemory(run.scratch().resolve("churn-" + pods), pods, warmUp(run), measured(run));
            row(table, "in memory", "all", pods, rate);
            growth.at(pods, rate.processorNanos());
        }
        int most = run.sizes(1_000, 1_000)[2];
        List<Rate> byCores = new ArrayList<>();
        for (int cores = 1; cores <= Math.min(2, Runtime.getRuntime().availableProcessors()); cores++) {
            Rate rate = apart(cores, most, run);
            byCores.add(rate);
            row(table, "in memory", String.valueOf(cores), most, rate);
        }
        try (BenchNode node = BenchNode.build(
                Files.createDirectories(run.scratch().resolve("churn-disk")),
                null,
                false,
                InMemoryCluster.create(),
                new NoOpPlugin())) {
            node.cluster.apply(Things.node());
            node.manager.start();
            Rate synced = rate(node, most, warmUp(run), measured(run));
            row(table, "on the disk, synced", "all", most, synced);
        }
        run.print(table);
        run.note(
                "a cycle is one volume mounted and unmounted: two steps, each with its intent and its outcome written.");
        run.note("rows of 1 and 2 cores are JVMs of their own that taskset binds to these cores.");
        run.growth(growth);
        if (byCores.size() == 2) {
            run.comparedRates(
                    "cycles/s on 2 cores",
                    byCores.get(1).perSecond(),
                    "1 core",
                    byCores.get(0).perSecond());
        }
    }

    private static long warmUp(Run run) {
        return run.nanos(5, 0.7);
    }

    private static long measured(Run run) {
        return run.nanos(10, 1.5);
    }

    /**
     * How much was done.
     *
     * @param processorNanos for a step, of which a cycle has two
     */
    private record Rate(long cycles, double perSecond, double processorNanos, double bytes) {
        /** Of its line in the output, where others may write too. */
        private static final String MARK = "rate ";

        String line() {
            return MARK + cycles + " " + perSecond + " " + processorNanos + " " + bytes;
        }

        static Rate of(String line) {
            String[] fields = line.substring(MARK.length()).split(" ");
            return new Rate(
                    Long.parseLong(fields[0]),
                    Double.parseDouble(fields[1]),
                    Double.parseDouble(fields[2]),
                    Double.parseDouble(fields[3]));
        }
    }

    private static Rate inMemory(Path root, int pods, long warmUp, long measured) throws Exception {
        try (BenchNode node = BenchNode.inMemory(root, new NoOpPlugin())) {
            return rate(node, pods, warmUp, measured);
        }
    }

    private static Rate rate(BenchNode node, int pods, long warmUp, long measured) throws Exception {
        cycles(node, "warm-", pods, warmUp);
        Meter meter = Meter.start();
        long cycles = cycles(node, "pod-", pods, measured);
        Meter.Reading used = meter.stop();
        double steps = 2.0 * cycles;
        return new Rate(
                cycles, cycles * 1e9 / used.wallNanos(), used.cpuNanos() / steps, used.allocatedBytes() / steps);
    }

    /** In a JVM that has only so many cores. */
    private static Rate apart(int cores, int pods, Run run) throws Exception {
        Process child = new ProcessBuilder(
                        "taskset",
                        "-c",
                        cores == 1 ? "0" : "0-" + (cores - 1),
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Benchmarks.class.getName(),
                        CHILD,
                        run.scratch().resolve("cores-" + cores).toString(),
                        String.valueOf(pods),
                        String.valueOf(warmUp(run)),
                        String.valueOf(measured(run)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String text = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (child.waitFor() != 0) {
                throw new IllegalStateException("the JVM on " + cores + " cores failed: " + text);
            }
            return text.lines()
                    .filter(line -> line.startsWith(Rate.MARK))
                    .map(Rate::of)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the JVM on " + cores + " cores said: " + text));
        } finally {
            child.destroyForcibly();
        }
    }

    /** What runs in the other JVM: measures and prints one line for the first. */
    static int child(List<String> arguments, PrintStream out) throws Exception {
        Path root = Path.of(arguments.get(0));
        int pods = Integer.parseInt(arguments.get(1));
        out.println(inMemory(root, pods, Long.parseLong(arguments.get(2)), Long.parseLong(arguments.get(3)))
                .line());
        return 0;
    }

    private static void row(Table table, String journal, String cores, int pods, Rate rate) {
        table.row(
                journal,
                cores,
                Figures.count(pods),
                Figures.count(rate.cycles()),
                Figures.rate(rate.perSecond()),
                Figures.rate(2 * rate.perSecond()),
                Figures.time(rate.processorNanos()),
                Figures.bytes(rate.bytes()));
    }

    /** Every pod comes and goes by itself until the time is over; returns the cycles of volumes. */
    private static long cycles(BenchNode node, String prefix, int pods, long nanos) throws Exception {
        AtomicLong cycles = new AtomicLong();
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        long until = System.nanoTime() + nanos;
        for (int i = 0; i < pods; i++) {
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            turn(node, new AtomicLong(), prefix + i + "-", until, cycles, end);
        }
        for (CompletableFuture<Void> end : ends) {
            BenchNode.await(end);
        }
        return cycles.get();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What comes of it goes to the end.
    private static void turn(
            BenchNode node,
            AtomicLong turns,
            String prefix,
            long until,
            AtomicLong cycles,
            CompletableFuture<Void> end) {
        if (System.nanoTime() >= until) {
            end.complete(null);
            return;
        }
        // A pod's UID is never seen again once it is gone, so every turn has a pod of its own.
        String pod = prefix + turns.incrementAndGet();
        CompletableFuture<?> cycle =
                node.add(Things.pod(pod, NoOpPlugin.NAME, VOLUMES)).thenCompose(mounted -> node.remove(pod));
        cycle.whenComplete((done, failure) -> {
            if (failure != null) {
                end.completeExceptionally(failure);
                return;
            }
            cycles.addAndGet(VOLUMES);
            turn(node, turns, prefix, until, cycles, end);
        });
    }
}
