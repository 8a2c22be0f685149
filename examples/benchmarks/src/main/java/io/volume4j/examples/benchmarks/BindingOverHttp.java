package io.volume4j.examples.benchmarks;

import io.volume4j.core.control.PersistentVolumeController;
import io.volume4j.core.plugins.PluginRegistry;
import io.volume4j.examples.agent.http.Access;
import io.volume4j.examples.agent.http.HttpCluster;
import io.volume4j.examples.agent.http.RequestRate;
import io.volume4j.examples.benchmarks.http.BareBinding;
import io.volume4j.examples.benchmarks.http.BareClient;
import io.volume4j.examples.benchmarks.http.BareWatch;
import io.volume4j.examples.benchmarks.http.CountedCluster;
import io.volume4j.examples.benchmarks.http.StoreChild;
import io.volume4j.examples.benchmarks.http.Turn;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Effort;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.NoStorage;
import io.volume4j.inmemory.host.InMemoryPluginHost;
import io.volume4j.spi.host.ClusterSource.Listing;
import io.volume4j.spi.host.Selection;
import io.volume4j.spi.model.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/**
 * Claims bound by a controller through the example's HTTP adapter, compared with a bare client that sends the same writes. The store is the
 * example's, in a process of its own. Every turn begins with a new store of as many claims and volumes.
 */
final class BindingOverHttp implements Benchmark {
    /** The command in the store's JVM. */
    static final String CHILD = "binding-http-store";

    /** No limit: the store is the one to be measured. */
    private static final RequestRate UNLIMITED = new RequestRate(1e9, 1_000_000);

    /** Turns of the controller and of the bare client, each; the first of each pair alternates. */
    private static final int PAIRS = 2;

    @Override
    public String name() {
        return "binding-http";
    }

    @Override
    public String measures() {
        return "claims bound through the HTTP adapter to a store in a process of its own on loopback, against a bare client that sends"
                + " the same writes";
    }

    @Override
    public String warmUp() {
        return "claims bound by the controller, and by both bare clients with each number of writes in flight; the best of these is the one"
                + " that is compared";
    }

    /** A way to send the bare client's writes. */
    record Way(boolean okHttp, int inFlight, double rate) {
        BareClient client(URI server) {
            return okHttp ? BareClient.okHttp(server, inFlight) : BareClient.jdk(server);
        }
    }

    @Override
    public void run(Run run) throws Exception {
        OtherJvm jvm = new OtherJvm(
                switch (run.effort()) {
                    case FULL -> 3_072;
                    case QUICK -> 768;
                    case SMOKE -> 128;
                });
        try (OtherJvm.Served store = jvm.serve(List.of(CHILD))) {
            run.note("the store's JVM: " + jvm.described());
            Way best = best(run, store);
            Table table = new Table(
                    "what",
                    "claims",
                    "claims/s",
                    "writes/s",
                    "writes a claim",
                    "refused",
                    "in flight",
                    "CPU a write",
                    "store's",
                    "ratio");
            Growth growth = Growth.ofTime("to bind a claim", "claims and volumes");
            Growth bareGrowth = Growth.ofTime("the bare client's writes for a claim", "claims and volumes");
            int[] sizes = run.sizes(100_000, 5_000);
            for (int size : sizes) {
                List<Turn> ours = new ArrayList<>();
                List<Turn> bare = new ArrayList<>();
                List<Turn> beside = new ArrayList<>();
                for (int pair = 0; pair < PAIRS; pair++) {
                    boolean oursFirst = pair % 2 == 0;
                    if (oursFirst) {
                        ours.add(ours(fill(store, size), processor(store), size));
                    }
                    bare.add(bare(fill(store, size), processor(store), best, false));
                    beside.add(bare(fill(store, size), processor(store), best, true));
                    if (!oursFirst) {
                        ours.add(ours(fill(store, size), processor(store), size));
                    }
                }
                double theirs = rate(bare);
                row(table, "the controller", size, ours, theirs);
                row(table, "the bare client", size, bare, theirs);
                row(table, "the bare client, watched", size, beside, theirs);
                growth.at(size, nanos(ours) / size);
                bareGrowth.at(size, nanos(bare) / size);
                if (size == sizes[sizes.length - 1]) {
                    run.comparedRates(
                            "writes to bind " + Figures.count(size) + " claims over HTTP",
                            rate(ours),
                            "bare client",
                            theirs);
                }
            }
            run.print(table);
            run.note(
                    "target: a ratio of at least 0.80. watched: the same while a second client watches claims and volumes, as a controller"
                            + " must; it drops the events unread.");
            run.note(
                    "the time of a turn begins with its first write; the store, the controller and the bare client share the"
                            + " processors.");
            run.growth(growth);
            run.growth(bareGrowth);
        }
    }

    /** Warms up both, and finds the bare client's best way. */
    private Way best(Run run, OtherJvm.Served store) throws Exception {
        int claims = run.size(5_000, 1_000);
        for (int round = 0; round < (run.effort() == Effort.FULL ? 4 : 2); round++) {
            ours(fill(store, claims), processor(store), claims);
            bare(fill(store, claims), processor(store), new Way(true, 4, 0), false);
            bare(fill(store, claims), processor(store), new Way(false, 4, 0), false);
        }
        Table table = new Table("bare client", "in flight", "claims", "writes/s");
        List<Way> ways = new ArrayList<>();
        for (boolean okHttp : new boolean[] {true, false}) {
            for (int inFlight : new int[] {1, 4, 16, 64}) {
                Way way = new Way(okHttp, inFlight, 0);
                Turn turn = bare(fill(store, claims), processor(store), way, false);
                ways.add(new Way(okHttp, inFlight, turn.rate()));
                table.row(
                        okHttp ? "OkHttp" : "JDK",
                        Figures.count(inFlight),
                        Figures.count(claims),
                        Figures.rate(turn.rate()));
            }
        }
        run.print(table);
        return ways.stream().max(Comparator.comparingDouble(Way::rate)).orElseThrow();
    }

    /** The controller's turn. */
    Turn ours(URI server, LongSupplier store, int claims) throws InterruptedException {
        try (HttpCluster cluster = HttpCluster.of(Access.to(server), UNLIMITED)) {
            CountedCluster<HttpCluster> counted = new CountedCluster<>(cluster, store, claims);
            try (PersistentVolumeController controller = PersistentVolumeController.builder()
                    .cluster(counted, counted)
                    .plugins(PluginRegistry.builder(InMemoryPluginHost.named("").build())
                            .plugin(new NoStorage())
                            .build())
                    .build()) {
                controller.start();
                return counted.await();
            }
        }
    }

    /** The bare client's turn. */
    @SuppressWarnings("try") // the watches are open while the block runs
    static Turn bare(URI server, LongSupplier store, Way way, boolean watched) throws Exception {
        Listing claims = list(server, Kind.PERSISTENT_VOLUME_CLAIM);
        Listing volumes = list(server, Kind.PERSISTENT_VOLUME);
        try (BareClient client = way.client(server)) {
            BareBinding binding = new BareBinding(client, claims.objects(), volumes.objects());
            if (!watched) {
                return binding.bind(way.inFlight(), store);
            }
            try (BareWatch ofClaims = new BareWatch(server, Kind.PERSISTENT_VOLUME_CLAIM, claims.revision());
                    BareWatch ofVolumes = new BareWatch(server, Kind.PERSISTENT_VOLUME, volumes.revision())) {
                return binding.bind(way.inFlight(), store);
            }
        }
    }

    private static URI fill(OtherJvm.Served store, int claims) throws IOException {
        return URI.create(store.ask(Integer.toString(claims)));
    }

    private static LongSupplier processor(OtherJvm.Served store) {
        return () -> {
            try {
                return Long.parseLong(store.ask(StoreChild.PROCESSOR));
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        };
    }

    private static Listing list(URI server, Kind kind) {
        try (HttpCluster cluster = HttpCluster.of(Access.to(server), UNLIMITED)) {
            return cluster.list(kind, Selection.all());
        }
    }

    private static double rate(List<Turn> turns) {
        return average(turns, Turn::writes) * 1e9 / nanos(turns);
    }

    private static double nanos(List<Turn> turns) {
        return average(turns, Turn::nanos);
    }

    private static double average(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return turns.stream().mapToDouble(figure).average().orElseThrow();
    }

    private static void row(Table table, String what, int claims, List<Turn> turns, double theirs) {
        double writes = average(turns, Turn::writes);
        table.row(
                what,
                Figures.count(claims),
                Figures.rate(claims * 1e9 / nanos(turns)),
                Figures.rate(rate(turns)),
                String.format(Locale.ROOT, "%.2f", writes / claims),
                Figures.count(turns.stream().mapToLong(Turn::refused).sum()),
                String.format(Locale.ROOT, "%.1f", average(turns, Turn::inFlight)),
                Figures.time(average(turns, Turn::client) / writes),
                Figures.time(average(turns, Turn::store) / writes),
                Figures.ratio(rate(turns) / theirs));
    }
}
