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
import io.volume4j.spi.host.Instrumentation;
import io.volume4j.ui.LiveSource;
import io.volume4j.ui.LiveView;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The cost of a live view: pods that are added and removed one after another, next to many that stay. Compares a node without a live
 * view, and one with a view with no, one or ten viewers. They take turns in one run.
 */
final class LiveViewCost implements Benchmark {
    private static final int VIEWERS = 10;

    /** @param viewers the number of viewers during the measurement */
    private record Looked(String what, BenchNode node, int viewers, Latencies latencies) {}

    @Override
    public String name() {
        return "live-view";
    }

    @Override
    public String measures() {
        return "pod added -> mounted -> removed -> unmounted, beside pods that stay, with and without viewers of the live view";
    }

    @Override
    public String warmUp() {
        return "the first third of the rounds, not counted";
    }

    @Override
    public void run(Run run) throws Exception {
        int standing = run.size(100_000, 500);
        Growth growth = Growth.ofTime("p99 with ten viewers", "pods in one turn");
        try (LiveView view = LiveView.builder().build();
                BenchNode alone =
                        BenchNode.watched(run.scratch().resolve("alone"), Instrumentation.none(), new NoOpPlugin())) {
            LiveSource source = view.source(Things.NODE);
            try (BenchNode watched = BenchNode.watched(run.scratch().resolve("watched"), source, new NoOpPlugin())) {
                source.watch(watched.manager);
                view.start();
                settle(alone, standing);
                settle(watched, standing);
                List<Looked> turns = List.of(
                        new Looked("no view", alone, 0, new Latencies()),
                        new Looked("the same once more", alone, 0, new Latencies()),
                        new Looked("a view, no viewer", watched, 0, new Latencies()),
                        new Looked("a view, one viewer", watched, 1, new Latencies()),
                        new Looked("a view, ten viewers", watched, VIEWERS, new Latencies()));
                int rounds = run.size(60, 6);
                for (int round = 0; round < rounds; round++) {
                    for (int turn = 0; turn < turns.size(); turn++) {
                        Looked next = turns.get((turn + round) % turns.size());
                        comeAndGo(view, next, round, run.size(5_000, 100), round >= rounds / 3);
                    }
                }
                for (int pods : run.sizes(1_000, 100)) {
                    Looked looked = new Looked("growth", watched, VIEWERS, new Latencies());
                    comeAndGo(view, looked, rounds + pods, pods, true);
                    growth.at(pods, looked.latencies().at(99));
                }
                print(run, turns);
            }
        }
        run.growth(growth);
    }

    private static void print(Run run, List<Looked> turns) {
        Table table = new Table("what", "pods", "p50", "p99", "p50 to none", "p99 to none");
        Latencies none = turns.get(0).latencies();
        for (Looked turn : turns) {
            Latencies latencies = turn.latencies();
            table.row(
                    turn.what(),
                    Figures.count(latencies.count()),
                    latencies.p50(),
                    latencies.p99(),
                    Figures.ratio(latencies.at(50) / none.at(50)),
                    Figures.ratio(latencies.at(99) / none.at(99)));
        }
        run.print(table);
        Latencies ten = turns.get(turns.size() - 1).latencies();
        run.compared("pods beside ten viewers, p50", ten.at(50), "none", none.at(50));
        run.compared("pods beside ten viewers, p99", ten.at(99), "none", none.at(99));
        run.note(
                "the second row is the first one again: what differs between the two is chance. Asked for: p99 with ten viewers at most"
                        + " 1.2 of that with none. Viewers, server and node share this JVM and its processors.");
    }

    private static void settle(BenchNode node, int pods) throws Exception {
        List<CompletableFuture<?>> mounted = new ArrayList<>();
        for (int i = 0; i < pods; i++) {
            mounted.add(node.add(Things.pod("standing-" + i, NoOpPlugin.NAME)));
        }
        for (CompletableFuture<?> each : mounted) {
            BenchNode.await(each);
        }
    }

    @SuppressWarnings("try") // the viewers are connected while the block runs
    private static void comeAndGo(LiveView view, Looked looked, int round, int pods, boolean counts) throws Exception {
        try (Viewers viewers = new Viewers(view, looked.viewers())) {
            for (int i = 0; i < pods; i++) {
                String name = "pod-" + looked.what().replace(' ', '-').replace(",", "") + "-" + round + "-" + i;
                long added = System.nanoTime();
                BenchNode.await(looked.node().add(Things.pod(name, NoOpPlugin.NAME)));
                BenchNode.await(looked.node().remove(name));
                if (counts) {
                    looked.latencies().record(System.nanoTime() - added);
                }
            }
        }
    }

    /** Open streams, each read by its own thread. */
    private static final class Viewers implements AutoCloseable {
        private final List<InputStream> streams = new ArrayList<>();
        private final ExecutorService readers = Executors.newCachedThreadPool();

        Viewers(LiveView view, int count) throws IOException, InterruptedException {
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest request = HttpRequest.newBuilder(URI.create(view.uri() + "api/stream"))
                    .header("Authorization", "Bearer " + view.viewerToken())
                    .build();
            for (int i = 0; i < count; i++) {
                InputStream stream = client.send(request, HttpResponse.BodyHandlers.ofInputStream())
                        .body();
                streams.add(stream);
                readers.execute(() -> read(stream));
            }
        }

        private static void read(InputStream stream) {
            try {
                stream.transferTo(OutputStream.nullOutputStream());
            } catch (IOException closed) {
                // The turn is over.
                return;
            }
        }

        @Override
        public void close() throws IOException {
            for (InputStream stream : streams) {
                stream.close();
            }
            readers.shutdown();
        }
    }
}
