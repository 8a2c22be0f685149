package io.volume4j.examples.benchmarks;

import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Latencies;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.BenchNode;
import io.volume4j.examples.benchmarks.world.NoOpPlugin;
import io.volume4j.examples.benchmarks.world.Things;
import io.volume4j.jfr.JfrInstrumentation;
import io.volume4j.spi.host.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;

/**
 * The cost of instrumentation: pods that are added and removed one after another on nodes without instrumentation, with Flight
 * Recorder off, and with Flight Recorder on. The nodes take turns in one run, so that disturbances of the machine affect all.
 */
final class InstrumentationCost implements Benchmark {
    private static final List<String> EVENTS =
            List.of("io.volume4j.Step", "io.volume4j.Call", "io.volume4j.Plan", "io.volume4j.JournalSync");

    private record Watched(String what, BenchNode node, boolean recorded, Latencies latencies) {}

    @Override
    public String name() {
        return "instrumentation";
    }

    @Override
    public String measures() {
        return "pod added -> mounted -> removed -> unmounted, with and without Flight Recorder's events";
    }

    @Override
    public String warmUp() {
        return "the first third of the rounds, not counted";
    }

    @Override
    public void run(Run run) throws Exception {
        List<Watched> nodes = new ArrayList<>();
        Growth growth = Growth.ofTime("p50 with events recorded", "pods in one recording");
        try {
            nodes.add(watched(run, "nothing watches", Instrumentation.none(), false));
            nodes.add(watched(run, "the same once more", Instrumentation.none(), false));
            nodes.add(watched(run, "events off", new JfrInstrumentation(), false));
            nodes.add(watched(run, "events recorded", new JfrInstrumentation(), true));
            int rounds = run.size(90, 12);
            for (int round = 0; round < rounds; round++) {
                for (int turn = 0; turn < nodes.size(); turn++) {
                    // Each is equally often the first.
                    Watched next = nodes.get((turn + round) % nodes.size());
                    comeAndGo(next, round, run.size(500, 100), round >= rounds / 3);
                }
            }
            for (int pods : run.sizes(1_000, 200)) {
                Watched recorded = new Watched("growth", nodes.get(3).node(), true, new Latencies());
                comeAndGo(recorded, rounds + pods, pods, true);
                growth.at(pods, recorded.latencies().at(50));
            }
        } finally {
            nodes.forEach(watched -> watched.node().close());
        }
        Table table = new Table("what", "pods", "p50", "p99", "p50 to nothing");
        double alone = nodes.get(0).latencies().at(50);
        for (Watched watched : nodes) {
            Latencies latencies = watched.latencies();
            table.row(
                    watched.what(),
                    Figures.count(latencies.count()),
                    latencies.p50(),
                    latencies.p99(),
                    Figures.ratio(latencies.at(50) / alone));
        }
        run.print(table);
        run.note("the second row is the first one again: what differs between the two is chance.");
        run.growth(growth);
    }

    private static Watched watched(Run run, String what, Instrumentation instrumentation, boolean recorded) {
        BenchNode node =
                BenchNode.watched(run.scratch().resolve(what.replace(' ', '-')), instrumentation, new NoOpPlugin());
        return new Watched(what, node, recorded, new Latencies());
    }

    private static void comeAndGo(Watched watched, int round, int pods, boolean counts) throws Exception {
        try (Recording recording = new Recording()) {
            if (watched.recorded()) {
                EVENTS.forEach(event -> recording.enable(event).withoutThreshold());
                recording.start();
            }
            for (int i = 0; i < pods; i++) {
                String name = "pod-" + round + "-" + i;
                long added = System.nanoTime();
                BenchNode.await(watched.node().add(Things.pod(name, NoOpPlugin.NAME)));
                BenchNode.await(watched.node().remove(name));
                if (counts) {
                    watched.latencies().record(System.nanoTime() - added);
                }
            }
        }
    }
}
